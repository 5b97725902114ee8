import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { entriesOf, previewOfExport } from "../../../helpers/preview-of-export";
import { FORMS, inForm, type Form } from "../../../helpers/program-form";
import { exported } from "../../../clone/write/exported";
import { DevidProcess } from "../../devid-process";

const workspace = openForTests(new LocalWorkspace());
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "devid-recover-"));
  await workspace.control("/reset", {});
  const made = (await workspace.call("POST", "/environments", {
    name: "Staging",
  })) as { id: string };
  await workspace.call("POST", "/api-keys", {
    name: "Staging browser",
    type: "public",
    environment: made.id,
  });
});

afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
const out = () => join(folder, "recovered.json");
const devid = (...args: string[]) =>
  DevidProcess.run(["recover", folder, "--out", out(), ...args], {
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY_US: workspace.service.workspaces.us.managementKey,
  });

/** A preview of a program that declares the whole workspace. */
async function preview(form: Form = "dynamic"): Promise<string> {
  const { files } = await exported(workspace);
  const path = join(folder, "preview.json");
  const entries = entriesOf(JSON.parse(files.get("import.json") ?? ""));
  writeFileSync(path, inForm(form, previewOfExport(entries)));
  return path;
}

it("writes the state into a file that only this user can read, and names the next step", async () => {
  const { code, stdout } = await devid("--plan", await preview());
  expect(code).toBe(0);
  expect(stdout.replaceAll(folder, "FOLDER").split("\n")).toEqual([
    "Stack devid-workspace/us",
    "6 of 6 resources found in the workspace.",
    "",
    "Written: FOLDER/recovered.json",
    "It may hold secrets; delete it after the import:",
    "  pulumi stack import --file FOLDER/recovered.json --cwd FOLDER",
    "  pulumi refresh --run-program --cwd FOLDER",
    "  pulumi preview --expect-no-changes --cwd FOLDER",
    "",
  ]);
  expect(modeOf(out())).toBe(0o600);
  expect(entriesOf(JSON.parse(readFileSync(out(), "utf8")))).toHaveLength(8);
});

it("restricts an existing file to this user", async () => {
  writeFileSync(out(), "{}", { mode: 0o644 });
  expect(modeOf(out())).toBe(0o644);
  expect((await devid("--plan", await preview())).code).toBe(0);
  expect(modeOf(out())).toBe(0o600);
});

it("lists missing and undeclared objects with their IDs, and exits with 2", async () => {
  const path = await preview();
  const keys = await workspace.list("api-keys");
  const gone = keys.find(({ name }) => name === "Staging browser");
  await workspace.call("DELETE", `/api-keys/${String(gone?.id)}`);
  const extra = (await workspace.call("POST", "/webhooks", {
    url: "https://user:pass@hooks.example/x?key=hush",
  })) as { id: string };
  const { code, stdout } = await devid("--plan", path);
  expect(code).toBe(2);
  expect(stdout).toContain('  ApiKey "staging-browser"\n');
  expect(stdout).toContain(`  webhook ${extra.id} https://`);
  expect(stdout).not.toContain("hush");
  const { stdout: json } = await devid("--plan", path, "--json");
  expect(JSON.parse(json)).toMatchObject({
    version: 1,
    stack: "devid-workspace/us",
    missing: [{ urn: expect.stringMatching(/::staging-browser$/) as string }],
    undeclared: [{ what: "webhook", id: extra.id, region: "us" }],
    duplicates: [],
    files: [out()],
  });
});

it.each(FORMS)(
  "writes nothing when two objects match, until one is chosen: %s",
  async (form) => {
    const path = await preview(form);
    const environments = await workspace.list("environments");
    const staging = environments.find(({ name }) => name === "Staging");
    const copy = (await workspace.call("POST", "/api-keys", {
      name: "Staging browser",
      type: "public",
      environment: staging?.id,
    })) as { id: string };
    const keys = await workspace.list("api-keys");
    const gone = keys.find(({ name }) => name !== "Staging browser");
    await workspace.call("DELETE", `/api-keys/${String(gone?.id)}`);
    const refused = await devid("--plan", path);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain("such\nas --choose staging-browser=ID;");
    expect(refused.stdout).toMatch(
      /Declared, and not found so far\..*\n.*\n {2}ApiKey "/,
    );
    expect(refused.stdout).toContain(
      `    API key ${copy.id} Staging browser in Staging (us), made `,
    );
    expect(refused.stdout).toMatch(/\nNothing was written\.\n$/);
    expect(existsSync(out())).toBe(false);

    const choice = `staging-browser=${copy.id}`;
    const chosen = await devid("--plan", path, "--choose", choice);
    expect(chosen.code).toBe(2);
    expect(chosen.stdout).toContain("In the workspace twice.");
    expect(chosen.stdout).toContain(
      `    like ${copy.id} of ApiKey "staging-browser"`,
    );
    expect(existsSync(out())).toBe(true);
  },
);

it.each([
  [[], "is not the folder of a program: it has no Pulumi.yaml."],
  [["--plan", "none.json"], "none.json cannot be read"],
  [["--plan", "x", "--add"], "--add needs the state of the stack"],
])("exits with 1 for %j, and writes nothing", async (args, message) => {
  const { code, stderr } = await devid(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(existsSync(out())).toBe(false);
});

it.each([
  ["nothing", "it is not JSON"],
  ["{}", "it has neither steps nor diagnostics"],
  ['{"steps":[]}', "preview.json shows no resource"],
  [
    JSON.stringify({
      diagnostics: [{ severity: "error", message: "config is missing" }],
    }),
    "config is missing",
  ],
])("exits with 1 for a preview with %s", async (text, message) => {
  const path = join(folder, "preview.json");
  writeFileSync(path, text);
  const { code, stderr } = await devid("--plan", path);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

it("names an object that may have been renamed, with the option that chooses it", async () => {
  const path = await preview();
  const [key] = (await workspace.list("api-keys")).filter(
    ({ name }) => name === "Staging browser",
  );
  await workspace.call("PATCH", `/api-keys/${String(key?.id)}`, {
    name: "Till",
  });
  const { code, stdout } = await devid("--plan", path);
  expect(code).toBe(2);
  expect(stdout).toContain(
    `such as --choose staging-browser=${String(key?.id)}`,
  );
  expect(stdout.split(String(key?.id))).toHaveLength(3);
  expect(stdout).not.toContain("and not declared");
  const chosen = await devid(
    ...["--plan", path, "--choose", `staging-browser=${String(key?.id)}`],
  );
  expect(chosen.code).toBe(0);
});

it("deletes no duplicate without --add", async () => {
  const { code, stderr } = await devid(
    "--plan",
    await preview(),
    "--delete-duplicates",
    "--yes",
  );
  expect(code).toBe(1);
  expect(stderr).toContain("--delete-duplicates needs --add");
});
