#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates many workers on other machines from what record.py recorded of a few: how fast they are, and what saturates.

    bench/workers/cluster.py RECORDED.json... [--workers 1,8,64,1000] [--paths N] [--spread S] [--bandwidth MBIT] [--latency US]

The model follows lib/explore/work, as simulate.py does, but its steps are messages instead of slices of time, so that it can follow a thousand workers.

- Work is a tree of N paths (a power of two), explored depth first: what a worker has left is a list of whole subtrees, and it gives away the
  largest. A path takes the recorded time, times a factor for each
  subtree that is handed over, which is log-normal with mean 1 and S as the standard deviation of its logarithm: no two are alike.
- The coordinator is one server. It handles one message after the other; each result and each progress message, of which a busy
  worker sends ten a second, costs it the recorded processor time, and so does every path that is handed over. What arrives while it is busy waits, requests for work included.
- Its network has a bandwidth, which the program's transfer to each worker and all results share, and a latency. Workers listen every 5 ms.
- All workers start at the same moment. One that has no program yet has to load it first.

Prints for each recorded exploration and number of workers: the time, the speed-up against the first number of workers, the share of the workers' time in which they
worked, the shares of the time in which the coordinator's processor and network were busy, how many paths were handed over, and what was the bottleneck.
"""
import argparse
import heapq
import json
import random

LISTEN, LASTS, LASTS_LONG = 0.005, 0.25, 2.0
USUALLY, MOST, MOST_FOR_ALL = 32, 4096, 65536
REPORT = 1.0  # seconds of work whose results are counted together
STATUS = 10  # progress messages of a busy worker in a second
HAND_OVER_COST = 6e-6  # coordinator, for each path that is handed over: decoding and encoding; measured for simulate.py
MESSAGE_COST = 30e-6


class Worker:
    """`trees`: sizes and seconds per path of subtrees that are left, the one that is explored last; `partial`: seconds of its path that is begun; `since`:
    when it was brought up to date."""

    def __init__(self):
        self.trees, self.partial, self.since, self.idle, self.asked, self.given_at, self.given, self.worked = [], 0.0, 0.0, None, 0, 0.0, 0, 0.0

    def seconds(self):
        return sum(size * each for size, each in self.trees) - self.partial

    def advance(self, now):
        """Explores until `now`; returns how many paths came to their end."""
        left, done = now - self.since, 0
        if left <= 0:
            return 0
        self.since = now
        self.worked += left
        left += self.partial
        self.partial = 0.0
        while self.trees:
            size, each = self.trees.pop()
            if size * each <= left + 1e-9:
                left -= size * each
                done += size
                continue
            finished = int(left / each)
            self.partial = left - finished * each
            # What remains of the subtree depth first: one subtree for each digit of what is left.
            rest = size - finished
            self.trees += [(1 << bit, each) for bit in reversed(range(size.bit_length())) if rest >> bit & 1]
            return done + finished
        self.worked -= left  # it had nothing
        return done

    def give(self, most):
        """Up to `most` subtrees, at most half: the largest, which are nearest to the start."""
        count = min(most, len(self.trees) // 2)
        if not count and len(self.trees) == 1 and self.trees[0][0] > 1:  # it forks soon
            size, each = self.trees.pop()
            self.trees = [(size // 2, each)]
            return [(size // 2, each)]
        order = sorted(range(len(self.trees)), key=lambda i: -self.trees[i][0])[:count]
        gone = set(order)
        out = [(self.trees[i][0], self.trees[i][1]) for i in order]
        self.trees = [t for i, t in enumerate(self.trees) if i not in gone]
        return out


def simulate(recorded, number, options):
    rng = random.Random(1)
    paths = 1 << (options.paths - 1).bit_length()
    each = recorded["path_seconds"]
    results = sum(recorded["messages"].get(k, {"bytes": 0})["bytes"] for k in ("Test", "Bug")) / max(1, recorded["paths"])
    statuses = recorded["messages"].get("Progress", {"number": 0})["number"]
    result_cost = recorded["result_seconds"] * recorded["tests"] / max(1, recorded["paths"])
    status_cost = recorded["status_seconds"]
    told = recorded["messages"].get("Progress", {"bytes": 0})["bytes"] / max(1, statuses) * STATUS  # bytes of a busy worker in a second
    bandwidth, latency = options.bandwidth * 1e6 / 8, options.latency / 1e6

    def factor():
        return rng.lognormvariate(-options.spread ** 2 / 2, options.spread)

    workers = [Worker() for _ in range(number)]
    queue = [(paths, each)]
    events = []  # (time, tie, what, worker)
    tie = 0

    def at(time, what, i):
        nonlocal tie
        tie += 1
        heapq.heappush(events, (time, tie, what, i))

    free, used, sent, handed, share, busy = 0.0, 0.0, 0.0, 0, USUALLY, 0

    def serve(now, seconds):
        """The coordinator works on something that arrives now; returns when it is done."""
        nonlocal free, used
        slower = 1 / max(0.05, 1 - min(0.95, busy * STATUS * status_cost))
        free = max(free, now) + seconds * slower
        used += seconds * slower
        return free

    ready = 0
    for i in range(number):
        sent += recorded["program_bytes"]
        at(sent / bandwidth + recorded["load_seconds"] + latency, "ready", i)
    end = 0.0
    idle = set()

    def report(i, now):
        nonlocal sent
        sent += told * max(0.0, now - workers[i].since)
        done = workers[i].advance(now)
        sent += done * results
        return serve(now, done * result_cost) if done else max(free, now)

    def hand_out(now):
        nonlocal busy, handed, sent
        order = sorted(idle)
        while queue and order:
            part = -(-len(queue) // len(order))
            i = order.pop(0)
            idle.discard(i)
            given, queue[:] = queue[:part], queue[part:]
            when = serve(now, MESSAGE_COST + part * HAND_OVER_COST / 2) + latency
            worker = workers[i]
            worker.trees, worker.partial, worker.since, worker.idle, worker.given_at, worker.given = given, 0.0, when, False, when, part
            sent += part * 100
            busy += 1
            wake(i)

    def wake(i):
        """The next time at which the worker has something to say."""
        worker = workers[i]
        at(worker.since + min(worker.seconds(), REPORT), "reports", i)

    def ask(now):
        lacking = len(idle) - sum(w.asked > 0 for w in workers) if idle else 0
        if queue or lacking <= 0:
            return
        rich = sorted((k for k, w in enumerate(workers) if w.idle is False and not w.asked), key=lambda k: (-len(workers[k].trees), k))[:lacking]
        for n, k in enumerate(rich):
            serves = lacking // len(rich) + (n < lacking % len(rich))
            workers[k].asked = min(share * serves, MOST_FOR_ALL)
            at(serve(now, MESSAGE_COST / 3) + latency + rng.random() * LISTEN, "share", k)

    while events:
        now, _, what, i = heapq.heappop(events)
        worker = workers[i]
        if what == "ready":
            ready += 1
            worker.idle = True
            idle.add(i)
        elif what == "share":
            most, worker.asked = worker.asked, 0
            if worker.idle is False:
                report(i, now)
                given = worker.give(most)
                if given:
                    handed += len(given)
                    when = serve(now + latency, MESSAGE_COST + len(given) * HAND_OVER_COST / 2)
                    queue += [(size, each * factor()) for size, _ in given]
                    sent += 100 * len(given)
                    now = when
        elif what == "reports":
            if worker.idle is not False:
                continue
            known = report(i, now)
            if worker.trees:
                wake(i)
                continue
            now = serve(known + latency, MESSAGE_COST)
            worker.idle = True
            busy -= 1
            idle.add(i)
            lasted = now - worker.given_at
            if worker.given > share // 2 and lasted < LASTS:
                share = min(2 * share, MOST)
            elif lasted > LASTS_LONG:
                share = max(share // 2, USUALLY)
            end = max(end, now)
        if not queue and not busy and ready:
            if len(idle) == ready and not any(w.trees for w in workers):
                break
        hand_out(now)
        ask(now)
    end = max(end, free, sent / bandwidth)
    worked = sum(w.worked for w in workers)
    shares = {"work": worked / (end * number), "coordinator": used / end, "network": sent / bandwidth / end}
    return end, worked, handed, shares


def bottleneck(shares, started_share):
    if shares["coordinator"] > 0.8:
        return "coordinator"
    if shares["network"] > 0.8:
        return "network"
    if shares["work"] > 0.8:
        return "-"
    return "start" if started_share > 0.3 else "hand-over"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("recorded", nargs="+")
    parser.add_argument("--workers", default="1,8,64,256,1000")
    parser.add_argument("--paths", type=int, default=0, help="default: an hour of one worker for each of 64")
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--bandwidth", type=float, default=1000)
    parser.add_argument("--latency", type=float, default=100)
    options = parser.parse_args()
    paths = options.paths
    print("%-12s %7s %9s %9s %6s %12s %8s %9s  %s" % ("program", "workers", "seconds", "speed-up", "work", "coordinator", "network", "handed", "bottleneck"))
    for name in options.recorded:
        recorded = json.load(open(name))
        options.paths = paths or int(64 * 3600 / recorded["path_seconds"])
        alone = None
        for number in map(int, options.workers.split(",")):
            end, worked, handed, shares = simulate(recorded, number, options)
            start = (number * recorded["program_bytes"] * 8 / options.bandwidth / 1e6 + recorded["load_seconds"]) / end
            alone = alone or end
            print("%-12s %7d %9.1f %9.1f %5.0f%% %11.0f%% %7.0f%% %9d  %s" % (recorded["program"][:12], number, end, alone / end, 100 * shares["work"],
                                                                            100 * shares["coordinator"], 100 * shares["network"], handed,
                                                                            bottleneck(shares, start)))


if __name__ == "__main__":
    main()
