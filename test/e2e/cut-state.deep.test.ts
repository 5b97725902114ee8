import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, sectionOf } from "../helpers/page-blocks";
import { ROOT, textOf } from "../helpers/repository";
import { UserShell } from "../helpers/user-shell";

// What docs/troubleshooting.md says about files of the state that a kill or a power failure has
// cut.

const page = textOf("docs/troubleshooting.md");
const section = sectionOf(page, "failed to load checkpoint");
const [attributes = "", checkpoint = ""] = blocksOf(section, "console");
const [deletion = "", copy = ""] = blocksOf(section, "sh");

let shell: UserShell;

beforeAll(async () => {
  shell = await UserShell.open({});
  const { folder } = shell;
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: shop\nruntime: nodejs\nmain: index.js\n",
  );
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "index.js"), 'exports.answer = "42";\n');
  await shell.ok("pulumi stack init try");
  for (const update of [1, 2])
    await shell.ok(`pulumi up --yes --skip-preview --message ${update}`);
});
afterAll(() => shell?.close());

it.each([
  ["stacks/shop/try.json.attrs", attributes, deletion],
  ["meta.yaml.attrs", attributes, deletion],
  ["stacks/shop/try.json", checkpoint, copy],
])(
  "an empty %s is told as the page says, and its command helps",
  async (file, messages, command) => {
    const backend = join(".engine", "state");
    writeFileSync(join(shell.folder, backend, ".pulumi", file), "");
    const { text } = await shell.run("pulumi cancel --yes; pulumi stack");
    expect(messages.split("\n")).toContain(text.trim().split("\n").at(-1));
    await shell.ok(command, { in: backend });
    await shell.ok("pulumi preview --expect-no-changes");
  },
);
