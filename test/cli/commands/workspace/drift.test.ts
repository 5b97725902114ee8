import { beforeEach, expect, it } from "vitest";
import { formatFailedDrift } from "@devid/clone";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { makeObjects, RECORDED } from "../../../clone/drift/drifting-program";
import { CliFolder } from "../../cli-folder";
import { failed, succeeded } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forTests(
  "drift --plan preview.json --allowed allowed.txt",
  workspace,
);

beforeEach(async () => {
  await workspace.control("/reset", {});
  const keys = await workspace.list("api-keys");
  const lines = keys.map(({ id }) => `${String(id)} # from the start`);
  folder.file("allowed.txt", `# Ours\n\n${lines.join("\n")}\n`);
  const ids = await makeObjects(workspace);
  const preview = Object.entries(ids).reduce(
    (text, [name, id]) => text.replaceAll(`<${name}>`, id),
    RECORDED,
  );
  folder.file("preview.json", preview);
});

const devid = (...args: string[]) => folder.run(args);

it("exits with 0 if nothing differs, and with 2 if something does", async () => {
  const { code, stdout } = await devid();
  expect([code, stdout]).toEqual([0, "declared/test has not drifted\n"]);
  await workspace.call("POST", "/webhooks", { url: "https://new.example/" });
  const drifted = await devid("--json");
  expect(drifted.code).toBe(2);
  expect(JSON.parse(drifted.stdout)).toMatchObject({
    version: 1,
    stack: "declared/test",
    resources: [],
    unmanaged: [{ what: "webhook", name: "https://new.example/" }],
    notJudged: [],
  });
});

it("recognises the objects of another stack by that stack's state", async () => {
  const other = await workspace.call("POST", "/webhooks", {
    url: "https://new.example/",
  });
  const state = { version: 3, deployment: { resources: [other] } };
  folder.file("other.json", state);
  expect((await devid("--other-state", "other.json")).code).toBe(0);
  expect(await failed(devid("--other-state", "allowed.txt"))).toSay(
    "drift/no-state",
  );
  for (const deployment of [null, { resources: {} }, { resources: [null] }]) {
    folder.file("other.json", { version: 3, deployment });
    expect(await failed(devid("--other-state", "other.json"))).toContain(
      "other.json is not a state",
    );
  }
});

it("exits with 1 if a part cannot be judged", async () => {
  await workspace.control("/faults", {
    match: { path: "/management/webhooks" },
    then: {
      status: 403,
      body: { error: { code: "feature_not_enabled", message: "Not yours." } },
    },
  });
  const { code, stdout } = await devid();
  expect(code).toBe(1);
  expect(stdout).toContain("has not drifted, as far as it can be judged");
  expect(stdout).toContain("webhooks (us):");
});

it("is reported in an issue with the reason as text, if there is no result", () => {
  const report = formatFailedDrift("no key\n<!-- @all -->\u001b[31m", "prod");
  expect(report).toContain("### The drift of `prod` cannot be judged");
  expect(report).toMatch(/```text\nno key\n<!-- @all -->\\u\{1b\}\[31m\n```/);
});

it("exits with 3 if the service is not reachable", async () => {
  await workspace.control("/faults", {
    match: { path: "/management/environments" },
    then: "reset",
  });
  expect((await devid()).code).toBe(3);
});

it("lists the development keys of a fresh local service, which docs/drift.md says how to leave out", async () => {
  folder.file("allowed.txt", "");
  const all = await devid();
  expect(all.code).toBe(2);
  expect(all.stdout.match(/Local development/g)).toHaveLength(2);
  expect((await devid("--ours-only")).code).toBe(0);
  folder.file("allowed.txt", (all.stdout.match(/tok_\w+/g) ?? []).join("\n"));
  expect((await devid()).code).toBe(0);
});

it("names the objects that no state has, as a killed update leaves them, unless --ours-only is given", async () => {
  const { id } = await workspace.make("/webhooks", {
    url: "https://left.example/hook",
  });
  const all = await devid();
  expect(all.code).toBe(2);
  expect(all.stdout).toContain("In the workspace, and in no state:");
  expect(all.stdout).toContain(id);
  expect(all.stdout.replaceAll(/\s+/g, " ")).toContain(
    "named in the file of --allowed; --ours-only leaves all of them out.",
  );
  const ours = await succeeded(devid("--ours-only"));
  expect(ours.stdout).not.toContain(id);
});
