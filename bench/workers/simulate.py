#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates how N workers share a tree of forks, from timings of a real run.

    bench/workers/simulate.py [--depth 19] [--turn US] [--restore US] [--workers 1,2,16,64,256] [--orders dfs,bfs,random]

The model follows lib/explore/work (CoordinatorHandOver.cpp, Requests.cpp, Explorer.cpp). Workers listen every 5 ms, and a worker that
was asked while it had one path listens at its next fork. For each idle
worker the coordinator asks one of those with the most states, as far as it knows; where fewer can be asked than are idle, each is
asked for as much more. A giver keeps at least half. It gives paths that wait to be restored first, then those nearest to the start.
What one idle worker should get doubles when it lasted less than 250 ms, and halves after 2 s. The coordinator handles one message
after the other.

Timings: --turn is the time from one fork to the next with --jobs 1 (wall_seconds / forks). --restore, --give and --message are what
a hand-over costs: leading a state to its place, encoding and decoding a path, and one message of the coordinator.

Prints, for each number of workers and each search order: the time, the speed-up against one worker, how many paths were handed
over, and the share of the workers' time that they were idle.
"""
import argparse
import collections
import heapq
import random

LISTEN, STATUS, LOOK, LASTS, LASTS_LONG = 0.005, 0.1, 0.1, 0.25, 2.0
USUALLY, MOST = 32, 4096
STRIDE, MANY = 64, 1024  # StayNear.h


class Worker:
    """`states`: how many states there are at each depth; `waiting`: the depths of paths that have yet to be led there, in the order in which they came."""

    def __init__(self, depth):
        self.states = [0] * (depth + 1)
        self.warm = 0
        self.waiting = collections.deque()
        self.told = 0
        self.idle = True
        self.given_at = self.given = self.look = self.turn = self.last = 0
        self.busy = 0.0

    @property
    def count(self):
        return self.warm + len(self.waiting)

    def pick(self, order, rng):
        depths = [d for d, n in enumerate(self.states) if n]
        if order == "dfs":
            return depths[-1]
        if order == "bfs":
            return depths[0]
        # Where there are many states, random-path stays near what ran last for some turns.
        self.turn += 1
        if self.warm > MANY and self.turn % STRIDE and self.last < len(self.states) - 1 and self.states[self.last + 1]:
            self.last += 1
        else:
            self.last = rng.choices(depths, [self.states[d] / 2.0**d for d in depths])[0]
        return self.last

    def revive(self):
        self.states[self.waiting.popleft()] += 1
        self.warm += 1

    def run(self, now, seconds, costs, order, rng, owes):
        """Until the time is over or nothing is left, or there are two paths if it owes some; the time that it took."""
        left = seconds
        depth = len(self.states) - 1
        if now >= self.look:  # some of those that wait, every now and then
            self.look = now + LOOK
            for _ in range(min(len(self.waiting), int(LOOK / 10 / costs.restore))):
                self.revive()
                left -= costs.restore
        while left > 0 and self.count and not (owes and self.count > 1):
            if not self.warm:
                self.revive()
                left -= costs.restore
            d = self.pick(order, rng)
            left -= costs.turn
            self.states[d] -= 1
            self.warm -= 1
            if d < depth:
                self.states[d + 1] += 2
                self.warm += 2
        return seconds - left

    def give(self, most):
        """Those that wait, then those nearest to the start: the depth of each."""
        most = min(most, self.count // 2)
        out = [self.waiting.popleft() for _ in range(min(most, len(self.waiting)))]
        for d in range(len(self.states)):
            n = min(self.states[d], most - len(out))
            self.states[d] -= n
            self.warm -= n
            out += [d] * n
        return out

    def take(self, paths):
        self.waiting.extend(paths)


def simulate(number, order, costs, depth, seed=1):
    rng = random.Random(seed)
    workers = [Worker(depth) for _ in range(number)]
    workers[0].take([0])
    workers[0].revive()
    workers[0].idle = False
    events = [(0.0, 0, 0)] + [(0.0, i, i) for i in range(1, number)]  # (time, tie, worker)
    heapq.heapify(events)
    share, free_at, queue, handed, tie, end = USUALLY, 0.0, [], 0, number, 0.0
    wants = {}  # giver -> share asked for
    next_status = 0.0
    while events:
        now, _, i = heapq.heappop(events)
        w = workers[i]
        if now >= next_status:
            for other in workers:
                other.told = other.count
            next_status = now + STATUS
        if i in wants and (w.count != 1 or w.idle):  # it listens
            paths = w.give(wants.pop(i))
            w.told = w.count
            now += costs.give * len(paths)
            free_at = max(free_at, now) + costs.message + costs.give * len(paths)
            queue += paths
            handed += len(paths)
        if not w.count and not w.idle:
            w.idle = True
            lasted = now - w.given_at
            if w.given > share // 2 and lasted < LASTS:
                share = min(2 * share, MOST)
            elif lasted > LASTS_LONG:
                share = max(share // 2, USUALLY)
        idle = [k for k, other in enumerate(workers) if other.idle]
        while queue and idle:
            part = -(-len(queue) // len(idle))
            k = idle.pop(0)
            free_at = max(free_at, now) + costs.message + costs.give * part
            workers[k].take(queue[:part])
            workers[k].idle, workers[k].given_at, workers[k].given = False, free_at, part
            workers[k].told = part
            del queue[:part]
            tie += 1
            if k != i:
                heapq.heappush(events, (free_at, tie, k))
        lacking = len(idle) - len(wants)
        busy = number - len(idle)
        most = min(share * max(1, -(-len(idle) // max(1, busy))), MOST * number)
        while lacking > 0:
            rich = max((k for k, other in enumerate(workers) if not other.idle and k not in wants), key=lambda k: workers[k].told, default=None)
            if rich is None:
                break
            wants[rich] = most
            lacking -= 1
        if w.idle:
            if not queue and all(other.idle for other in workers):
                break
            continue  # woken when it gets something
        took = w.run(now, LISTEN, costs, order, rng, owes=i in wants)
        w.busy += took
        end = max(end, now + took)
        tie += 1
        heapq.heappush(events, (now + took, tie, i))
    return end, handed, 1 - sum(w.busy for w in workers) / (end * number)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--depth", type=int, default=19)
    for name, micros in (("turn", 1.1), ("restore", 3.0), ("give", 3.0), ("message", 30.0)):
        parser.add_argument("--" + name, type=float, default=micros, metavar="US")
    parser.add_argument("--workers", default="1,2,16,64,256")
    parser.add_argument("--orders", default="dfs,bfs,random")
    options = parser.parse_args()
    for name in ("turn", "restore", "give", "message"):
        setattr(options, name, getattr(options, name) / 1e6)
    print("%-8s %8s %10s %9s %10s %6s" % ("order", "workers", "seconds", "speed-up", "handed", "idle"))
    for order in options.orders.split(","):
        alone = None
        for number in map(int, options.workers.split(",")):
            seconds, handed, idle = simulate(number, order, options, options.depth)
            alone = alone or seconds
            print("%-8s %8d %10.3f %9.2f %10d %5.0f%%" % (order, number, seconds, alone / seconds, handed, 100 * idle))


if __name__ == "__main__":
    main()
