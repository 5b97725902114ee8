// @module-tag chromium
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { browserUserAgent, launchBrowser } from "../helpers/browser";
import { makeWorkFolder } from "../helpers/engine-stack";
import { QUICK_PROGRAMS } from "../helpers/quick-programs";
import { freePort } from "../helpers/listen";
import { ROOT, textOf } from "../helpers/repository";
import { blocksOf } from "../helpers/page-blocks";

/** The files that the commands of the page need, beside the packages. */
const PARTS = [
  "package.json",
  "Pulumi.yaml",
  "examples/shop",
  "tools/demo/bin",
  "tools/demo/dist",
];

/** The files with the shop's port. */
const WITH_PORT = ["index.ts", "server.mjs"];

describe("docs/see-it-work.md", () => {
  let folder: string;
  /** The page, with ports that are free on this machine. */
  let text: string;
  let serviceUrl: string;
  let shopUrl: string;
  let copyUrl: string;
  let browser: Browser;
  let shop: Running | undefined;

  beforeAll(async () => {
    folder = makeWorkFolder();
    for (const part of PARTS)
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    // Everything is built already.
    writeFileSync(join(folder, "tools/build.mjs"), "");
    const [servicePort, shopPort] = [await freePort(), await freePort()];
    mkdirSync(join(folder, ".devid"));
    writeFileSync(join(folder, ".devid/port"), String(servicePort));
    for (const file of WITH_PORT) {
      const path = join(folder, "examples/shop", file);
      writeFileSync(path, withPorts(readFileSync(path, "utf8")));
    }
    text = withPorts(textOf("docs/see-it-work.md"));
    serviceUrl = `http://127.0.0.1:${servicePort}`;
    shopUrl = `http://127.0.0.1:${shopPort}`;
    copyUrl = `http://localhost:${shopPort}`;
    browser = await launchBrowser();

    function withPorts(text: string): string {
      return text
        .replaceAll("8787", String(servicePort))
        .replaceAll("8788", String(shopPort));
    }
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.interrupt();
    rmSync(folder, { recursive: true, force: true });
  });

  const commands = (block: number) => {
    const lines = blocksOf(text, "sh")[block] ?? "";
    return lines.split("\n").filter((line) => line !== "");
  };
  const run = (line: string) => Running.start(line, folder);
  /** Opens a page as a new visitor. */
  const visit = async (url: string) => {
    const context = await browser.newContext({
      userAgent: browserUserAgent(browser),
    });
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  it("the second command names the first command when that has not run", async () => {
    const { code, text } = await run(commands(0)[1] ?? "").end();
    expect(text).toContain("The shop has no keys yet: npm run up shop");
    expect(code).toBe(1);
  });

  it("the first command declares the shop's resources", async () => {
    const [up = ""] = commands(0);
    const { code, text } = await run(up).end();
    expect(text).toContain("+ 6 created");
    expect(code).toBe(0);
  });

  it("the second command runs the service and the shop", async () => {
    shop = run(commands(0)[1] ?? "");
    await shop.said(`The service's console is at ${serviceUrl}/`);
    await shop.said(`The shop is at ${shopUrl}/`);
    expect((await fetch(serviceUrl)).status).toBe(200);
  });

  it("the page is identified and its sealed result is opened, but no webhook arrives yet", async () => {
    expect(text).toContain(`\`${shopUrl}/\``);
    const page = await visit(shopUrl);
    const event = await shown(page, "Event");
    // This browser is automated, and its event says so.
    expect(await shown(page, "Sealed result")).toMatch(
      /^opened by the shop: visitor \w{20}, new, bot bad, suspect score 20$/,
    );
    expect(await shown(page, "Webhook")).toBe("has not arrived");
    await shop?.said(`visit    ${event}  the sealed result was opened`);
    await page.reload();
    expect(await shown(page, "Sealed result")).toContain("seen before");
  });

  it("a page of another site is also identified", async () => {
    expect(text).toContain(`\`${copyUrl}/\``);
    const page = await visit(copyUrl);
    expect(await shown(page, "Sealed result")).toContain("opened by the shop");
  });

  it("the change is made and deployed", async () => {
    const [diff = ""] = blocksOf(text, "diff");
    execFileSync("git", ["apply", "-"], {
      cwd: folder,
      input: diff,
      // Without it, git would look for the files in the repository around the folder.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: resolve(folder, "..") },
    });
    const { code, text: printed } = await run(commands(1)[0] ?? "").end();
    expect(printed).toMatch(/\+ 1 created\s+~ 1 updated/);
    expect(code).toBe(0);
  });

  it("then the webhook arrives, signed with the stack's key", async () => {
    const page = await visit(shopUrl);
    const event = await shown(page, "Event");
    expect(await shown(page, "Webhook")).toBe(
      "arrived, its signature is right",
    );
    await shop?.said(`webhook  ${event}  signed with the stack's key`);
  });

  it("then the other site is denied, with the answer of the rule", async () => {
    const [, promised = ""] = /its page shows `(.*)`/.exec(text) ?? [];
    expect(promised).toBe("403 subscription_not_active: Forbidden");
    const page = await visit(copyUrl);
    const refused = await shown(page, "Refused");
    expect(refused.endsWith(promised)).toBe(true);
  });

  it("the shop refuses a webhook that somebody else signed, and a repeated result", async () => {
    const webhook = await fetch(`${shopUrl}/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "fpjs-event-signature": `v1=${"0".repeat(64)}`,
      },
      body: '{"event_id":"made-up"}',
    });
    expect(webhook.status).toBe(403);
    const page = await visit(shopUrl);
    // The code is a string, because the page must do the import.
    const answers = await page.evaluate(`(async () => {
      const { address } = await (await fetch("/agent")).json();
      const { start } = await import(address);
      const { sealed_result } = await start().get();
      const statuses = [];
      for (const result of [sealed_result, sealed_result, "bm9uZQ=="]) {
        const { status } = await fetch("/visits", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ sealed_result: result }),
        });
        statuses.push(status);
      }
      return statuses;
    })()`);
    expect(answers).toEqual([200, 403, 400]);
  });

  it("the console shows every step", async () => {
    const page = await visit(serviceUrl);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator("#visits").getByText("block-copies").first().waitFor();
    await page.locator("#deliveries").getByText("delivered").first().waitFor();
    if (process.env.UPDATE_GOLDEN !== undefined)
      await page.screenshot({ path: join(ROOT, "docs/console.png") });
  });

  it("Ctrl-C ends the shop and the service", async () => {
    await shop?.interrupt();
    for (const url of [shopUrl, serviceUrl])
      await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), 10_000);
  });
});

/** A running command line. */
class Running {
  private text = "";
  private readonly ended: Promise<[number | null]>;

  private constructor(private readonly child: ChildProcess) {
    const keep = (chunk: Buffer) => (this.text += chunk.toString());
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    this.ended = once(child, "close") as Promise<[number | null]>;
  }

  static start(line: string, folder: string): Running {
    const inherited = Object.entries(process.env).filter(
      ([name]) => name === "DEVID_PULUMI" || !/^(DEVID_|npm_)/.test(name),
    );
    const child = spawn("sh", ["-c", line], {
      cwd: folder,
      env: { ...Object.fromEntries(inherited), ...QUICK_PROGRAMS },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, so that Ctrl-C reaches all of it.
      detached: true,
    });
    return new Running(child);
  }

  async end(): Promise<{ code: number | null; text: string }> {
    const [code] = await this.ended;
    return { code, text: this.text };
  }

  /** Waits until the command has printed a text. */
  async said(text: string): Promise<void> {
    await vi.waitFor(() => expect(this.text).toContain(text), 30_000);
  }

  /** Presses Ctrl-C. */
  async interrupt(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null)
      process.kill(-Number(this.child.pid), "SIGINT");
    await this.end();
  }
}

/** What the page says of something. */
function shown(page: Page, name: string): Promise<string> {
  return page.locator("dt", { hasText: name }).locator("+ dd").innerText();
}
