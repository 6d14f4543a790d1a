/* SPDX-License-Identifier: MIT */
/* Reads sensors on a bus: sixteen threads, one a sensor, ask and wait for the answer through pipes;
 * the processors are hardly used. The cause is the bus's lock, held from the question to the
 * answer, so that the controller has one question at a time, although it answers eight at once;
 * fixed, there are eight lanes with a lock each. Sixteen threads are no problem here. Innocent: the
 * lock of the readings, a thread that looks for alarms.
 *
 * cause: the lock of the only lane is held from question to answer, sixteen threads queue for it
 * finding: lock-io lock-contention
 * place: ask_controller|lanes|Lane
 * build: c++
 */
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace
{
const unsigned sensors = 16, most_lanes = 8, questions = 45;

struct Lane {
	std::mutex lock;
	int questions[2], answers[2];
};

struct Readings {
	std::mutex lock;
	double sum = 0;
	unsigned count = 0, alarms = 0;
};

Lane lanes[most_lanes];
unsigned lanes_in_use = 1;
Readings readings;
std::atomic<bool> finished;

/* What stands for the hardware: an answer takes as long as the line is slow. */
void control_lane(Lane &lane)
{
	uint32_t question;

	while (read(lane.questions[0], &question, sizeof(question)) == sizeof(question)) {
		usleep(1500);
		uint32_t answer = question * 2654435761u >> 12;
		if (write(lane.answers[1], &answer, sizeof(answer)) != sizeof(answer))
			abort();
	}
}

uint32_t ask_controller(unsigned sensor, unsigned number)
{
	Lane &lane = lanes[sensor % lanes_in_use];
	std::lock_guard<std::mutex> guard(lane.lock);
	uint32_t question = sensor * questions + number, answer = 0;

	if (write(lane.questions[1], &question, sizeof(question)) != sizeof(question))
		abort();
	if (read(lane.answers[0], &answer, sizeof(answer)) != sizeof(answer))
		abort();
	return answer;
}

double smooth(uint32_t answer)
{
	double value = answer;

	for (int i = 0; i < 30000; i++)
		value = std::sqrt(value * value + i);
	return value;
}

void read_sensor(unsigned sensor)
{
	for (unsigned i = 0; i < questions; i++) {
		double value = std::floor(smooth(ask_controller(sensor, i)));
		std::lock_guard<std::mutex> guard(readings.lock);
		readings.sum += value;
		readings.count++;
	}
}

void look_for_alarms()
{
	while (!finished) {
		std::this_thread::sleep_for(std::chrono::milliseconds(50));
		std::lock_guard<std::mutex> guard(readings.lock);
		readings.alarms += readings.sum < 0;
	}
}
} // namespace

int main(int argc, char **)
{
	std::vector<std::thread> controllers, threads;

	lanes_in_use = argc > 1 ? most_lanes : 1;
	for (unsigned i = 0; i < lanes_in_use; i++) {
		if (pipe(lanes[i].questions) || pipe(lanes[i].answers))
			return 1;
		controllers.emplace_back(control_lane, std::ref(lanes[i]));
	}
	std::thread alarm(look_for_alarms);
	for (unsigned i = 0; i < sensors; i++)
		threads.emplace_back(read_sensor, i);
	for (std::thread &thread : threads)
		thread.join();
	finished = true;
	alarm.join();
	for (unsigned i = 0; i < lanes_in_use; i++)
		close(lanes[i].questions[1]);
	for (std::thread &controller : controllers)
		controller.join();
	printf("%u readings, %u alarms, sum %.0f\n", readings.count, readings.alarms, readings.sum);
	return 0;
}
