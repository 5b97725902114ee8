import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { UserShell } from "../helpers/user-shell";
import { openForTests } from "../helpers/open-for-tests";
import { ROOT } from "../helpers/repository";

const workspace = openForTests(new LocalWorkspace());
let shell: UserShell;

const write = (path: string, text: string) => {
  const file = join(shell.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
/** Puts a package of this repository into a folder of the program. */
const install = (from: string, to: string) => {
  const place = join(shell.folder, to);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, from), place);
};

beforeAll(async () => {
  shell = await UserShell.open(workspace.env);
  // The layout of a strict package manager: a package of the program has @devid/pulumi, and the program
  // itself does not.
  const acme = "node_modules/acme-infra";
  write(
    "Pulumi.yaml",
    "name: nested\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  write("package.json", JSON.stringify({ name: "nested", private: true }));
  write("index.js", `exports.id = require("acme-infra").shopKey().id;\n`);
  write(`${acme}/package.json`, JSON.stringify({ name: "acme-infra" }));
  write(
    `${acme}/index.js`,
    `const devid = require("@devid/pulumi");
exports.shopKey = () => new devid.ApiKey("shop", { name: "Shop", type: "public" });
`,
  );
  install("provider", `${acme}/node_modules/@devid/pulumi`);
  install("node_modules/@pulumi/pulumi", "node_modules/@pulumi/pulumi");
  await shell.ok("pulumi stack init test");
});
afterAll(() => shell?.close());

it("a package with its own @devid/pulumi causes a one-line error that says what to install", async () => {
  const { code, text } = await shell.run("pulumi up --yes --skip-preview");
  expect(code).not.toBe(0);
  const lines = text.split("\n").filter((line) => line.includes("@devid/"));
  // The error appears at once, and again among the diagnostics at the end.
  expect(lines).toHaveLength(2);
  for (const line of lines)
    expect(line).toMatch(
      /does not find it there, because it is only inside the node_modules of another package; run in .*: npm install @devid\/pulumi@\d/,
    );
  expect(text).not.toContain("MODULE_NOT_FOUND");
  expect(text).not.toMatch(/\n\s+at /);
  expect(await workspace.list("api-keys")).not.toContainEqual(
    expect.objectContaining({ name: "Shop" }),
  );
});

it("the program works once that is installed", async () => {
  install("provider", "node_modules/@devid/pulumi");
  await shell.ok("pulumi up --yes --skip-preview");
  expect(await workspace.list("api-keys")).toContainEqual(
    expect.objectContaining({ name: "Shop" }),
  );
});
