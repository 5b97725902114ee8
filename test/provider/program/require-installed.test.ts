import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, vi } from "vitest";
import {
  problemIn,
  requireInstalled,
} from "../../../provider/src/program/require-installed";
import { textOf } from "../../helpers/repository";
import { folderForEachTest } from "../../helpers/test-folder";

const { version } = JSON.parse(textOf("provider/package.json")) as {
  version: string;
};

let folder: string;
folderForEachTest((path) => (folder = path));

/** Installs a version of the package in the program's node_modules. */
function install(installed: string): void {
  const place = join(folder, "node_modules/@devid/pulumi");
  mkdirSync(join(place, "dist"), { recursive: true });
  const exports = { "./provider": "./dist/provider.js" };
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name: "@devid/pulumi", version: installed, exports }),
  );
  writeFileSync(join(place, "dist/provider.js"), "");
}

it("finds no problem when the program's folder has the same version", () => {
  install(version);
  expect(problemIn(folder)).toBeUndefined();
  mkdirSync(join(folder, "src"));
  expect(problemIn(join(folder, "src"))).toBeUndefined();
  expect(problemIn(resolve(__dirname, "../../../examples/quickstart"))).toBe(
    undefined,
  );
});

it("says in one line what to install when the folder has no version", () => {
  expect(problemIn(folder)).toBe(
    `The engine loads @devid/pulumi from the program's folder but does not find it there, because it is only inside the node_modules of another package; run in ${folder}: npm install @devid/pulumi@${version}`,
  );
});

it("says what to install when the folder has another version", () => {
  install("0.0.7");
  expect(problemIn(folder)).toBe(
    `The engine loads @devid/pulumi from the program's folder and finds version 0.0.7 there, while the program, or a package of it, uses ${version}; run in ${folder}: npm install @devid/pulumi@${version}`,
  );
});

it("checks only when an engine runs the program", () => {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  expect(requireInstalled).not.toThrow();
  vi.stubEnv("PULUMI_NODEJS_ENGINE", "127.0.0.1:9");
  expect(requireInstalled).toThrow("npm install @devid/pulumi@");
  install(version);
  expect(requireInstalled).not.toThrow();
  cwd.mockRestore();
});
