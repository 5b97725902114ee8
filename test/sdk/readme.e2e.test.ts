import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { transformSync } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { folderForTests } from "../helpers/test-folder";
import { ROOT } from "../helpers/repository";
import { blockOf, blocksOf } from "../helpers/page-blocks";

const run = promisify(execFile);

const folder = folderForTests();
const local = openForTests(new LocalWorkspace());
/** The README in the package's tarball. */
let readme: string;
beforeAll(() => {
  const args = ["pack", "--json", "--ignore-scripts", "-w", "sdk"];
  const printed = execFileSync("npm", [...args, "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(printed) as { filename: string }[];
  const installed = join(folder, "node_modules/@devid/sdk");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", [
    "xzf",
    join(folder, packed?.filename ?? ""),
    "--strip-components=1",
    "-C",
    installed,
  ]);
  mkdirSync(join(folder, "node_modules/@types"));
  for (const name of ["zod", "@types/node", "undici-types"])
    symlinkSync(
      join(ROOT, "node_modules", name),
      join(folder, "node_modules", name),
    );
  readme = readFileSync(join(installed, "README.md"), "utf8");
}, 120_000);

/** Runs a program next to the unpacked package, and returns its output. */
async function program(name: string, code: string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, code);
  const { secretKey, managementKey } = local.service.workspaces.eu;
  const keys = {
    DEVID_SECRET_KEY: secretKey,
    DEVID_MANAGEMENT_KEY: managementKey,
  };
  const { PATH } = process.env;
  const env = { PATH, ...local.env, DEVID_REGION: "eu", ...keys };
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
  return stdout;
}

describe("the packed SDK", () => {
  it("works like its README says, from an ES module", async () => {
    await local.control("/eu/events", [{ event_id: "bad-1", bot: "bad" }]);
    const [key] = await local.list("encryption-keys", "eu");
    const blocks = blocksOf(readme, "ts");
    expect(blocks).toHaveLength(5);
    const values = {
      ...{ eventId: "bad-1", keyId: "none" },
      ...{ newSigningKey: "new", oldSigningKey: "old" },
      ...{ token: key?.["token"], previousToken: key?.["token"] },
    };
    const given = Object.entries(values).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    );
    const [first = "", call = "", errors = "", webhook = "", sealed = ""] =
      blocks;
    const imports = [first, call, errors, webhook, sealed]
      .join("\n")
      .replaceAll("const event =", "var event =")
      // Tests must not call the public hosts.
      .replace('region: "eu",', "$&\n  endpoint: process.env.DEVID_ENDPOINT,")
      .replace(
        "const sealed = Buffer",
        'const sealedResult = Buffer.from(seal(JSON.stringify({ event_id: "s-1", timestamp: 1 }), token)).toString("base64");\nconst sealed = Buffer',
      );
    const code = [
      'import { seal } from "@devid/sdk/sealed-results";',
      'import { signWebhook } from "@devid/sdk/webhooks";',
      ...given,
      imports,
      'console.log("unsealed", event.event_id);',
      `const body = '{"event_id":"w-1","timestamp":1}';
for (const key of ["old", "stranger"]) {
  console.log(key, await receive(body, await signWebhook(body, key)));
}`,
    ].join("\n");
    const { code: plain } = transformSync(code, { loader: "ts" });
    const printed = await program("readme.mjs", plain);
    expect(printed.split("\n")).toEqual([
      expect.stringMatching(/^bad-1 /),
      expect.stringMatching(/^wh_\S+ \d{4}-/),
      "It is gone already.",
      "unsealed s-1",
      "w-1",
      "old 200",
      "stranger 403",
      "",
    ]);
  });

  it.each([
    "--module nodenext --moduleResolution nodenext",
    "--module esnext --moduleResolution bundler",
    "--module esnext --moduleResolution node10",
    "--module nodenext --moduleResolution nodenext --exactOptionalPropertyTypes",
  ])(
    "has types for its README's first client, without skipLibCheck: %s",
    async (options) => {
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
      writeFileSync(join(folder, "first.ts"), blockOf(readme, "ts"));
      const { stdout } = await run(
        process.execPath,
        [
          join(ROOT, "node_modules/typescript/bin/tsc"),
          ...["--noEmit", "--strict", "--esModuleInterop"],
          ...["--target", "es2022", "first.ts"],
          ...options.split(" "),
        ],
        { cwd: folder },
      ).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    },
    120_000,
  );

  it("works from CommonJS, configured by the environment", async () => {
    const printed = await program(
      "program.cjs",
      `const { createClient, optionsFromEnvironment, isDevidError } = require("@devid/sdk");
const client = createClient({ ...optionsFromEnvironment(), timeoutMs: 10_000 });
client.environments.list()
  .then(({ data }) => console.log(data.length, "environment"))
  .then(() => client.webhooks.get("none"))
  .catch((error) => console.log(isDevidError(error, "NotFoundError"), error.status));`,
    );
    expect(printed).toBe("1 environment\ntrue 404\n");
  });
});
