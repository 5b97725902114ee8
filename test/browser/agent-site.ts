import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";
import type { isFingerprintError } from "../../agent/src/fingerprint-error";
import type { GetOptions } from "../../agent/src/get-options";
import type { start } from "../../agent/src/start";
import type { StartOptions } from "../../agent/src/start-options";
import type { withoutDefault } from "../../agent/src/endpoints";
import { plainServer, type PlainServer } from "../sdk/http/plain-server";

declare global {
  interface Window {
    /** The built package, which the site's pages load. */
    devid: {
      start: typeof start;
      withoutDefault: typeof withoutDefault;
      isFingerprintError: typeof isFingerprintError;
    };
  }
}

const AGENT = createRequire(__filename).resolve("@devid/agent");

const PAGE = `<!doctype html><title>Shop</title>
<script type="module">
  import * as devid from "/agent.mjs";
  window.devid = devid;
</script>`;

/**
 * Serves a page at every address, and the built package. `csp` is the pages' content
 * security policy.
 */
export function agentSite(csp?: string): Promise<PlainServer> {
  return plainServer(({ path }, response) => {
    if (csp !== undefined) response.setHeader("content-security-policy", csp);
    if (path === "/agent.mjs") {
      response.writeHead(200, {
        "content-type": "text/javascript",
        "access-control-allow-origin": "*",
      });
      response.end(readFileSync(AGENT));
    } else {
      response.writeHead(200, {
        "content-type": "text/html",
        "referrer-policy": "unsafe-url",
      });
      response.end(PAGE);
    }
  });
}

/** Opens a page of a site and waits for the agent. */
export async function openShop(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => "devid" in window);
}

/** `withoutDefault` as it reaches the page. */
export function only(value: string | readonly string[]) {
  return { __type__: "withoutDefault" as const, value };
}

/** The outcome of `get()`: a result, its wrapper as base64, or an error. */
export interface Outcome {
  readonly result?: {
    readonly event_id: string;
    readonly visitor_id?: string;
    readonly suspect_score?: number;
    readonly sealed_result: string | null;
    readonly cache_hit?: boolean;
  };
  readonly error?: {
    readonly code: string;
    readonly event_id: string | null;
    readonly message: string;
    /** The answer of the package's own guard. */
    readonly isKnown: boolean;
  };
}

/** Starts an agent in the page and calls `get()` once. */
export function getOnce(
  page: Page | Frame,
  options: StartOptions,
  call: GetOptions = {},
): Promise<Outcome> {
  return page.evaluate(
    async ([options, call]) => {
      const { start, isFingerprintError } = window.devid;
      try {
        const result = await start(options).get(call);
        return { result: JSON.parse(JSON.stringify(result)) as never };
      } catch (error) {
        const { code, event_id, message } = error as never;
        return {
          error: {
            code,
            event_id,
            message,
            isKnown: isFingerprintError(error),
          },
        };
      }
    },
    [options, call] as const,
  );
}
