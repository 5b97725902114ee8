import { runInThisContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  errors,
  shortStacks,
} from "../../../provider/src/program/short-stacks";

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

const FOLDER = "/shop/node_modules/@pulumi/pulumi";

/** A function that stands in a file of that name. */
const inFile = <T>(file: string, body: string) =>
  runInThisContext(`(${body})`, { filename: file }) as T;

/** Takes the stack of a promise, as Pulumi does for each that it makes. */
const promiseStack = inFile<(message: string) => string>(
  `${FOLDER}/runtime/debuggable.js`,
  "(message) => new Error(message).stack",
);

/** Takes the whole stack of a resource, as Pulumi does for the state. */
const resourceStack = inFile<() => string>(
  `${FOLDER}/resource.js`,
  `() => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = Infinity;
    try {
      return new Error().stack;
    } finally {
      Error.stackTraceLimit = limit;
    }
  }`,
);

it("answers the text of an error in place of the stack of a promise, until the end", () => {
  const longStacks = shortStacks("constructor.js");
  expect(promiseStack("promise")).toBe("Error: promise");
  expect(formatted).toEqual([]);
  longStacks();
  expect(promiseStack("later")).toBe("with source maps");
});

it("goes on until the last resource that needs it is registered", () => {
  const first = shortStacks("constructor.js");
  const second = shortStacks("constructor.js");
  first();
  expect(promiseStack("promise")).toBe("Error: promise");
  second();
  expect(promiseStack("later")).toBe("with source maps");
});

it("formats any other stack", () => {
  const longStacks = shortStacks("constructor.js");
  expect(new Error("of the program").stack).toBe("with source maps");
  longStacks();
});

it("formats the stack of a resource, and leaves out the frames of one file and those that run the program", () => {
  resourceStack();
  const longStacks = shortStacks(__filename);
  expect(resourceStack()).toBe("with source maps");
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

it("leaves a function that somebody puts in its place meanwhile", () => {
  const longStacks = shortStacks("constructor.js");
  const others = () => "of somebody else";
  errors.prepareStackTrace = others;
  longStacks();
  expect(errors.prepareStackTrace).toBe(others);
});

it("changes nothing where Pulumi looks for promises that never end", () => {
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  shortStacks("constructor.js");
  expect(promiseStack("promise")).toBe("with source maps");
});

it("changes nothing where no source maps are in use", () => {
  errors.prepareStackTrace = undefined;
  shortStacks("constructor.js")();
  expect(errors.prepareStackTrace).toBeUndefined();
});
