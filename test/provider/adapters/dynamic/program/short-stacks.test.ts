import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  errors,
  shortStacks,
} from "../../../../../provider/src/adapters/dynamic/program/short-stacks";

const given = errors.prepareStackTrace;
/** The file of each frame that the formatter of source maps is asked to format. */
let formatted: (string | null)[][] = [];

beforeEach(() => {
  formatted = [];
  errors.prepareStackTrace = (_, frames) => {
    formatted.push(frames.map((frame) => frame.getFileName()));
    return "with source maps";
  };
});

afterEach(() => {
  errors.prepareStackTrace = given;
  vi.unstubAllEnvs();
});

const stackOf = (message: string) => new Error(message).stack;

function wholeStack(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Infinity;
  try {
    return new Error().stack;
  } finally {
    Error.stackTraceLimit = limit;
  }
}

it("answers the text of an error in place of its stack, until the end", () => {
  const longStacks = shortStacks("constructor.js");
  expect(stackOf("promise")).toBe("Error: promise");
  expect(formatted).toEqual([]);
  longStacks();
  expect(stackOf("later")).toBe("with source maps");
});

it("formats a stack without a limit, and leaves out the frames of one file and those that run the program", () => {
  wholeStack();
  const longStacks = shortStacks(__filename);
  expect(wholeStack()).toBe("with source maps");
  longStacks();
  const [before = [], meanwhile = []] = formatted;
  const isNode = (file: string | null) => file?.startsWith("node:") ?? true;
  expect(before.filter((file) => file === __filename)).not.toEqual([]);
  expect(before.filter(isNode)).not.toEqual([]);
  expect(meanwhile).not.toEqual([]);
  expect(meanwhile).toEqual(
    before.filter((file) => file !== __filename && !isNode(file)),
  );
});

it("formats the stack of an error that was made meanwhile and is read later", () => {
  const longStacks = shortStacks("constructor.js");
  const error = new Error("made meanwhile");
  longStacks();
  expect(error.stack).toBe("with source maps");
});

it("changes nothing where Pulumi looks for promises that never end", () => {
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  shortStacks("constructor.js");
  expect(stackOf("promise")).toBe("with source maps");
});

it("changes nothing where no source maps are in use", () => {
  errors.prepareStackTrace = undefined;
  shortStacks("constructor.js")();
  expect(errors.prepareStackTrace).toBeUndefined();
});
