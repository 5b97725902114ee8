import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, vi } from "vitest";
import { inPrivateFolder } from "../../../cli/src/output/write-output";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

it("a private folder is removed, and so are folders that killed commands left a day ago", async () => {
  vi.stubEnv("TMPDIR", folder);
  const make = (name: string, ageHours: number) => {
    mkdirSync(join(folder, name, "sub"), { recursive: true });
    const at = Date.now() / 1_000 - ageHours * 3_600;
    utimesSync(join(folder, name), at, at);
  };
  make("devid-private-aB3xYz", 25);
  make("devid-events-aB3xYz", 25);
  make("devid-private-by-hand", 25);
  make("devid-private-aB3xY0", 23);
  make("devid-workspace", 25);
  const kept = ["devid-private-aB3xY0", "devid-private-by-hand"];
  const others = [...kept, "devid-workspace"];
  await inPrivateFolder((own) => {
    expect(readdirSync(folder).sort()).toEqual(
      [...others, basename(own)].sort(),
    );
    return Promise.resolve();
  });
  expect(readdirSync(folder).sort()).toEqual(others);
  vi.unstubAllEnvs();
});
