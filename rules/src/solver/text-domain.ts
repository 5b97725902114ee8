import { excludes, implies } from "./text-implication";
import { keyOfTest, passes, type TextTest } from "./text-test";

/** What is left of a domain: as much as before, less, or nothing. */
export type Narrowed = "same" | "less" | "nothing";

/**
 * The texts that something may be: some values, or all that pass some tests,
 * fail others and are not excluded. The latter may be none without showing it.
 */
export class TextDomain {
  #values: Set<string> | undefined;
  readonly #excluded: Set<string>;
  readonly #passed: TextTest[];
  readonly #failed: TextTest[];
  readonly #failedKeys: Set<string>;

  constructor(from?: TextDomain) {
    this.#values = from && from.#values;
    this.#excluded = new Set(from && from.#excluded);
    this.#passed = from ? [...from.#passed] : [];
    this.#failed = from ? [...from.#failed] : [];
    this.#failedKeys = new Set(from && from.#failedKeys);
  }

  /** All that is left, where that is a list of values. */
  get values(): ReadonlySet<string> | undefined {
    return this.#values;
  }
  get excluded(): ReadonlySet<string> {
    return this.#excluded;
  }
  get passed(): readonly TextTest[] {
    return this.#passed;
  }
  get failed(): readonly TextTest[] {
    return this.#failed;
  }

  /** Whether a text is left. */
  has(text: string): boolean {
    if (this.#values) return this.#values.has(text);
    return (
      !this.#excluded.has(text) &&
      this.#passed.every((test) => passes(test, text)) &&
      !this.#failed.some((test) => passes(test, text))
    );
  }

  /** What a test says of all that is left; undefined where that is not known, or differs. */
  says(test: TextTest): boolean | undefined {
    if (this.#values) {
      let [yes, no] = [false, false];
      for (const value of this.#values) {
        if (passes(test, value)) yes = true;
        else no = true;
        if (yes && no) return undefined;
      }
      return yes;
    }
    if (test.kind === "in") {
      for (const value of test.values) if (this.has(value)) return undefined;
      return false;
    }
    if (this.#passed.some((known) => implies(known, test))) return true;
    const isFalse =
      this.#passed.some((known) => excludes(known, test)) ||
      this.#failed.some((known) => implies(test, known));
    return isFalse ? false : undefined;
  }

  /** Keeps what a test says this of. */
  narrow(test: TextTest, result: boolean): Narrowed {
    if (this.#values) {
      const size = this.#values.size;
      return this.#keep(
        [...this.#values].filter((value) => passes(test, value) === result),
        size,
      );
    }
    if (test.kind === "in") {
      const known = [...test.values].filter((value) => this.has(value));
      if (result) return this.#keep(known, Infinity);
      for (const value of known) this.#excluded.add(value);
      return known.length > 0 ? "less" : "same";
    }
    if (result) {
      const said = this.says(test);
      if (said !== undefined) return said ? "same" : "nothing";
      this.#passed.push(test);
      return "less";
    }
    if (this.#passed.some((known) => implies(known, test))) return "nothing";
    if (this.#passed.some((known) => excludes(known, test))) return "same";
    const key = keyOfTest(test);
    if (this.#failedKeys.has(key)) return "same";
    this.#failedKeys.add(key);
    this.#failed.push(test);
    return "less";
  }

  #keep(values: readonly string[], size: number): Narrowed {
    if (values.length === 0) return "nothing";
    if (values.length === size) return "same";
    this.#values = new Set(values);
    return "less";
  }
}
