import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomKeys } from "../helpers/keys-file";
import { LocalWorkspace } from "../helpers/local-workspace";
import { CERTIFICATE_FILE, tlsFront } from "../helpers/tls-front";
import { WebhookReceiver } from "../helpers/webhook-receiver";
import { proxyServer } from "../sdk/http/proxy-server";
import { folderForTests } from "../helpers/test-folder";

const run = promisify(execFile);
const CLI = resolve(__dirname, "../../cli");

describe("the program that npx runs", () => {
  const folder = folderForTests();

  const started = () => run(process.execPath, [join(folder, "bin/devid.js")]);

  beforeAll(() => {
    cpSync(join(CLI, "bin"), join(folder, "bin"), { recursive: true });
  });

  it("says how to build the bundle when it is missing", async () => {
    await expect(started()).rejects.toMatchObject({
      code: 1,
      stderr: expect.toSay("bundle/not-built", { package: "devid" }),
    });
  });

  it("runs the bundle, also from the package installed alone", async () => {
    mkdirSync(join(folder, "dist/bundle"), { recursive: true });
    const code = 'exports.main = () => console.log("bundled")';
    writeFileSync(join(folder, "dist/bundle/main.js"), code);
    expect((await started()).stdout).toBe("bundled\n");
  });

  it.each([
    [200_000, ["--version"]],
    [
      950_000,
      ["rules", "check", join(CLI, "../examples/quickstart/rules.yaml")],
    ],
  ])(
    "loads under %i bytes for %s: what it does not need comes later",
    async (most, args) => {
      const program = `process.argv = ${JSON.stringify(["", "devid", ...args])};
      process.on("exit", () => console.error(JSON.stringify(Object.keys(require.cache))));
      require(${JSON.stringify(join(CLI, "bin/devid.js"))});`;
      const { stderr } = await run(process.execPath, ["-e", program]);
      const files = JSON.parse(stderr) as string[];
      const sizes = files.map((path) => statSync(path).size);
      expect(sizes.length).toBeGreaterThan(2);
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(most);
    },
  );

  it("knows the user agents of crawlers, as the library does", () => {
    const rules = [
      ["sdk.platform.is_browser", "allow"],
      ["http.user_agent.string contains 'HeadlessChrome'", "deny"],
    ].map(([expression, action], i) => ({ name: `r${i}`, expression, action }));
    const file = join(folder, "rules.json");
    writeFileSync(file, JSON.stringify({ rules }));
    const bin = join(CLI, "bin/devid.js");
    const found = execFileSync(process.execPath, [bin, "rules", "check", file]);
    expect(found.toString()).toContain("unreachable");
  });
});

describe("the bundle", () => {
  const folder = join(CLI, "dist", `bundle-of-test-${process.pid}`);
  const main = join(folder, "main.js");
  const start = `import(${JSON.stringify(main)}).then(({ main }) => main(process.argv))`;
  const args = (...given: string[]) => ["-e", start, "devid", ...given];

  beforeAll(() => {
    execFileSync(process.execPath, [join(CLI, "bundle.mjs"), folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("checks rule files as the compiled packages do", () => {
    const file = resolve(__dirname, "../../examples/quickstart/rules.yaml");
    const check = args("rules", "check", file);
    expect(execFileSync(process.execPath, check, { encoding: "utf8" })).toBe(
      "Nothing found in 1 file.\n",
    );
  });

  it("calls the service", async () => {
    const workspace = await LocalWorkspace.start();
    try {
      const { stdout } = await run(process.execPath, args("whoami"), {
        env: {
          ...process.env,
          DEVID_ENDPOINT: workspace.url,
          DEVID_MANAGEMENT_KEY: "local-management-us",
        },
      });
      expect(stdout).toContain("accepted");
    } finally {
      await workspace.close();
    }
  });

  it("calls the service through a company's proxy", async () => {
    const keys = randomKeys();
    const workspace = await LocalWorkspace.start({ keys });
    const front = await tlsFront(workspace.url);
    const proxy = await proxyServer({ tunnelTo: front.url });
    try {
      const { stdout } = await run(process.execPath, args("whoami"), {
        env: {
          ...process.env,
          DEVID_ENDPOINT: "https://service.invalid",
          DEVID_MANAGEMENT_KEY: keys.workspaces.us.managementKey,
          HTTPS_PROXY: proxy.url,
          NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
        },
      });
      expect(stdout).toContain("accepted");
      expect(proxy.asked).toContain("CONNECT service.invalid:443");
    } finally {
      await proxy.close();
      await front.close();
      await workspace.close();
    }
  });

  it("serves the service and the agent from its files, and delivers webhooks", async () => {
    const receiver = await WebhookReceiver.start();
    const serve = args("serve", "--port", "0", "--json");
    const service = spawn(process.execPath, serve, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = (await once(service.stdout, "data", {
        signal: AbortSignal.timeout(10_000),
      })) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      for (const path of [
        "/",
        "/console/console.css",
        "/us/web/v4/local-public-us",
        "/openapi.json",
      ]) {
        const answer = await fetch(`${url}${path}`);
        expect([path, answer.status]).toEqual([path, 200]);
        expect(await answer.text()).not.toBe("");
      }
      await post(`${url}/_local/us/webhooks`, {
        url: receiver.url,
        verified: true,
      });
      await post(`${url}/_local/identify/us`, {
        publicKey: "local-public-us",
        url: "https://shop.example",
        headers: {},
        ip: "192.0.2.1",
      });
      await receiver.get(1);
    } finally {
      service.kill();
      await once(service, "exit");
      receiver.close();
    }
  });
});

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([url, answer.ok, await answer.text()]).toEqual([
    url,
    true,
    expect.anything(),
  ]);
}
