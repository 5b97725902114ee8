import { afterAll, beforeAll, onTestFinished } from "vitest";

/** Something that a test file opens before its tests and closes after them. */
interface Openable {
  open(): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens something before the tests of a file or of a `describe`, and closes it after them. */
export function openForTests<T extends Openable>(opened: T): T {
  beforeAll(() => opened.open());
  afterAll(() => opened.close());
  return opened;
}

/** Closes after a test what it opens. */
export async function openForTest<T extends { close(): void | Promise<void> }>(
  opening: Promise<T>,
): Promise<T> {
  const opened = await opening;
  onTestFinished(() => opened.close());
  return opened;
}
