// SPDX-License-Identifier: MIT
//! futexes_rust KIND: the parts of Rust's library that wait by futexes. mutex, rwlock, once, barrier, scope, condvar, park,
//! channel: one thread waits for another, which works for 0.1 s. The truth is in the last line of the output, or in the file that TRUTH_FILE names.
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};
use std::thread;
use std::time::{Duration, Instant};

static TABLE: Mutex<u64> = Mutex::new(0);

fn work() {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(100) {
        std::hint::black_box(begin);
    }
}

#[inline(never)]
fn hold_table(is_held: &mpsc::Sender<()>) {
    let mut table = TABLE.lock().unwrap();
    is_held.send(()).unwrap();
    work();
    *table += 1;
}

#[inline(never)]
fn take_table() -> f64 {
    let begin = Instant::now();
    *TABLE.lock().unwrap() += 1;
    begin.elapsed().as_secs_f64()
}

fn mutex() -> f64 {
    let (is_held, held) = mpsc::channel();
    let holder = thread::spawn(move || hold_table(&is_held));
    held.recv().unwrap();
    let waited = take_table();
    holder.join().unwrap();
    waited
}

static PAGES: RwLock<u64> = RwLock::new(0);
static NUMBER: OnceLock<u64> = OnceLock::new();

fn number(is_begun: Option<&mpsc::Sender<()>>) -> u64 {
    *NUMBER.get_or_init(|| {
        if let Some(begun) = is_begun {
            begun.send(()).unwrap();
        }
        work();
        7
    })
}

/// The other thread has begun when it says so; then this one waits for it.
fn after(other: fn(&mpsc::Sender<()>), wait: fn()) -> f64 {
    let (is_begun, begun) = mpsc::channel();
    let worker = thread::spawn(move || other(&is_begun));
    begun.recv().unwrap();
    let begin = Instant::now();
    wait();
    let waited = begin.elapsed().as_secs_f64();
    worker.join().unwrap();
    waited
}

fn rwlock() -> f64 {
    after(
        |is_begun| {
            let mut pages = PAGES.write().unwrap();
            is_begun.send(()).unwrap();
            work();
            *pages += 1;
        },
        || {
            std::hint::black_box(*PAGES.read().unwrap());
        },
    )
}

fn once() -> f64 {
    after(
        |is_begun| {
            number(Some(is_begun));
        },
        || {
            std::hint::black_box(number(None));
        },
    )
}

fn barrier() -> f64 {
    let meeting = Arc::new(Barrier::new(2));
    let theirs = Arc::clone(&meeting);
    let other = thread::spawn(move || {
        work();
        theirs.wait();
    });
    let begin = Instant::now();
    meeting.wait();
    let waited = begin.elapsed().as_secs_f64();
    other.join().unwrap();
    waited
}

fn scope() -> f64 {
    let begin = Instant::now();
    thread::scope(|all| {
        all.spawn(work);
    });
    begin.elapsed().as_secs_f64()
}

#[inline(never)]
fn give_news(news: &(Mutex<bool>, Condvar)) {
    thread::sleep(Duration::from_millis(50));
    work();
    *news.0.lock().unwrap() = true;
    news.1.notify_one();
}

#[inline(never)]
fn wait_for_news(news: &(Mutex<bool>, Condvar)) -> f64 {
    let begin = Instant::now();
    let mut is_new = news.0.lock().unwrap();
    while !*is_new {
        is_new = news.1.wait(is_new).unwrap();
    }
    begin.elapsed().as_secs_f64()
}

fn condvar() -> f64 {
    let news = Arc::new((Mutex::new(false), Condvar::new()));
    let theirs = Arc::clone(&news);
    let giver = thread::spawn(move || give_news(&theirs));
    let waited = wait_for_news(&news);
    giver.join().unwrap();
    waited
}

#[inline(never)]
fn unpark_first(first: &thread::Thread) {
    work();
    first.unpark();
}

#[inline(never)]
fn be_parked() -> f64 {
    let begin = Instant::now();
    thread::park();
    begin.elapsed().as_secs_f64()
}

fn park() -> f64 {
    let first = thread::current();
    let other = thread::spawn(move || unpark_first(&first));
    let waited = be_parked();
    other.join().unwrap();
    waited
}

#[inline(never)]
fn send_late(letters: &mpsc::Sender<u64>) {
    work();
    letters.send(1).unwrap();
}

#[inline(never)]
fn receive(letters: &mpsc::Receiver<u64>) -> f64 {
    let begin = Instant::now();
    letters.recv().unwrap();
    begin.elapsed().as_secs_f64()
}

fn channel() -> f64 {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || send_late(&sender));
    let waited = receive(&receiver);
    other.join().unwrap();
    waited
}

fn main() {
    let kind = std::env::args().nth(1).unwrap_or_default();
    let waited = match kind.as_str() {
        "mutex" => mutex(),
        "rwlock" => rwlock(),
        "once" => once(),
        "barrier" => barrier(),
        "scope" => scope(),
        "condvar" => condvar(),
        "park" => park(),
        "channel" => channel(),
        _ => std::process::exit(2),
    };
    let truth = format!("{{\"waited\": {waited:.9}}}\n");
    match std::env::var("TRUTH_FILE") {
        Ok(path) => std::fs::write(path, truth).unwrap(),
        Err(_) => print!("{truth}"),
    }
}
