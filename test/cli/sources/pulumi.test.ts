import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it, vi } from "vitest";
import { configOf, stateOf } from "../../../cli/src/sources/pulumi";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

/** Puts a program in place of `pulumi`. */
function pulumi(script: string): void {
  const path = join(folder, "pulumi");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
}

it("reads the texts of stack config", async () => {
  pulumi(`echo '{"a":{"value":"b"},"c":{"value":1},"d":{"secret":true}}'`);
  expect(await configOf({ folder })).toEqual({
    ...{ a: "b", c: undefined, d: undefined },
  });
});

it.each([
  "warning: canary",
  '{"a":{"value":"canary"',
  '"canary"',
  "null",
  '{"a":1}',
])(
  "refuses %s as stack config, and quotes no secret of it",
  async (printed) => {
    pulumi(`echo '${printed}'`);
    const read = configOf({ folder });
    await expect(read).rejects.toMatchObject({ name: "UsageError" });
    await expect(read).rejects.not.toThrow("canary");
  },
);

it.each([
  ["echo '{'; echo locked >&2; exit 1", "locked"],
  ["kill -9 $$", "It gave no reason."],
])("says why pulumi failed: %s", async (script, reason) => {
  pulumi(script);
  await expect(stateOf("dev")).rejects.toThrow(
    `pulumi could not read the state (pulumi stack export of stack dev in .):\n${reason}`,
  );
});
