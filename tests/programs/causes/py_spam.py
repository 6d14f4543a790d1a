# SPDX-License-Identifier: MIT
# Scores messages for spam in two threads of CPython, with the interpreter's own instructions only. The
# interpreter's lock lets one of them run at a time. Innocent: a thread waits in queue.get for
# complaints that never come, another one sleeps between looks at its statistics, and counters are
# added up under a lock once in fifty messages. Fixed: the same two shares in two processes.
#
# cause: the global interpreter lock: both threads compute in Python code
# finding: gil
# place: global interpreter lock|take_gil
# launch: python3
import multiprocessing
import queue
import sys
import threading

MESSAGES = 12000
WORDS_EACH = 60
WORKERS = 2

WEIGHTS = {word: (word * 7919) % 41 - 20 for word in range(0, 4096, 3)}


class Statistics:
    """What the workers have done so far."""

    def __init__(self):
        self.lock = threading.Lock()
        self.messages = 0
        self.ended = threading.Event()

    def add(self, messages):
        with self.lock:
            self.messages += messages

    def look(self):
        while not self.ended.wait(0.2):
            with self.lock:
                self.seen = self.messages


def make_message(number):
    """A list of the words' numbers."""
    state, words = number * 2654435761 % 2**32, []
    for _ in range(WORDS_EACH):
        state = (state * 1664525 + 1013904223) % 2**32
        words.append(state >> 20)
    return words


def score_pair(first, second):
    weight = WEIGHTS.get((first ^ second) & 4095, 0)
    return weight if first < second else -weight // 2


def score_message(words):
    score = 0
    for i, word in enumerate(words):
        for other in words[max(0, i - 8):i]:
            score += score_pair(word, other)
    return score


def score_share(worker, add):
    """Every WORKERS-th message from number `worker`."""
    total, done = 0, 0
    for number in range(worker, MESSAGES, WORKERS):
        total += score_message(make_message(number)) % 1009
        done += 1
        if done % 50 == 0:
            add(50)
    return total


def score_in_threads(statistics):
    totals = [0] * WORKERS

    def work(worker):
        totals[worker] = score_share(worker, statistics.add)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(totals)


def ignore(messages):
    """A process has no part in the statistics of another one."""


def work_apart(worker, results):
    results.put(score_share(worker, ignore))


def score_in_processes():
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    workers = [context.Process(target=work_apart, args=(worker, results)) for worker in range(WORKERS)]
    for worker in workers:
        worker.start()
    total = sum(results.get() for _ in workers)
    for worker in workers:
        worker.join()
    return total


def answer_complaints(complaints):
    while complaints.get() is not None:
        pass


def main(is_fixed):
    statistics, complaints = Statistics(), queue.Queue()
    # Processes are forked before there are threads.
    total = score_in_processes() if is_fixed else None
    helpers = [threading.Thread(target=answer_complaints, args=(complaints,)), threading.Thread(target=statistics.look)]
    for helper in helpers:
        helper.start()
    if not is_fixed:
        total = score_in_threads(statistics)
    complaints.put(None)
    statistics.ended.set()
    for helper in helpers:
        helper.join()
    print(total)


if __name__ == "__main__":
    main("fixed" in sys.argv[1:])
