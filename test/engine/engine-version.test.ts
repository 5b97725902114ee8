import { describe, expect, it } from "vitest";
import {
  ENGINE_VERSION,
  isAtLeast,
  MINIMUM_ENGINE_VERSION,
  parseEngineVersion,
} from "../../tools/engine/src/engine-version.js";

describe("the version of an engine", () => {
  it.each([
    ["v3.246.0\n", "3.246.0"],
    ["3.9.1", "3.9.1"],
    ["v3.250.0-alpha.1a2b+dirty", "3.250.0-alpha.1a2b"],
    ["warning: something\nv3.246.0\n", "3.246.0"],
    ["command not found", undefined],
    ["3.246", undefined],
    ["", undefined],
  ])("is read from %j", (text, version) => {
    expect(parseEngineVersion(text)).toBe(version);
  });

  it.each([
    ["3.200.0", "3.200.0", true],
    ["3.199.9", "3.200.0", false],
    ["3.1000.0", "3.200.0", true],
    ["4.0.0", "3.200.0", true],
    ["2.999.0", "3.200.0", false],
    ["3.200.0-alpha.1", "3.200.0", true],
  ])("%s at least %s: %s", (version, minimum, expected) => {
    expect(isAtLeast(version, minimum)).toBe(expected);
  });

  it("that we build is accepted", () => {
    expect(isAtLeast(ENGINE_VERSION, MINIMUM_ENGINE_VERSION)).toBe(true);
  });
});
