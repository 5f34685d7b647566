// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/** A clock that a test sets. Nothing waits for real. */
export class VirtualClock {
  #time = 1_000;
  #timers = [];

  now = () => this.#time;
  date = () => 1_800_000_000_000 + this.#time;

  after = (milliseconds, act) => {
    const timer = { at: this.#time + milliseconds, act };
    this.#timers.push(timer);
    return () => { this.#timers = this.#timers.filter((one) => one !== timer); };
  };

  every = (milliseconds, act) => {
    let stop = () => {};
    const next = () => { stop = this.after(milliseconds, () => { next(); act(); }); };
    next();
    return () => stop();
  };

  frame = (act) => { this.after(16, act); };

  /** Lets time pass, and everything happen that is due meanwhile, in order. */
  async pass(milliseconds) {
    const end = this.#time + milliseconds;
    await settled();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#time = Math.max(this.#time, next.at);
      next.act();
      await settled();
    }
    this.#time = end;
  }

  /** The timer that is due first until then. */
  #next(end) {
    return this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }
}

/** Once all promises that can be fulfilled without a timer are. */
export function settled() {
  return new Promise((resolve) => { setImmediate(resolve); });
}
