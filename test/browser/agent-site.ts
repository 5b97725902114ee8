import { readFileSync } from "node:fs";
import type { Frame, Page } from "playwright-core";
import type { isFingerprintError } from "../../service/agent/fingerprint-error";
import type { GetOptions } from "../../service/agent/options";
import type { startFromScript } from "../../service/agent/start";
import { packageFile } from "../../service/src/package-files";
import type { StartOptions } from "../../service/agent/options";
import type { withoutDefault } from "../../service/agent/endpoints";
import { plainServer, type PlainServer } from "../sdk/http/plain-server";

declare global {
  interface Window {
    /** The script of the agent, which the site's pages import as the vendor's loader does. */
    devid: {
      start: (options: StartOptions) => ReturnType<typeof startFromScript>;
      withoutDefault: typeof withoutDefault;
      isFingerprintError: typeof isFingerprintError;
    };
  }
}

const AGENT = packageFile("./browser-agent/script.mjs");

/** Of the vendor's loader, which adds it to the address of the script. */
export const LOADER_VERSION = "4.1.5";
const LOADED = `/web/v4/key?ci=jsl/${LOADER_VERSION}`;

/** The address of the script for a page that imports it without a loader. */
export const SCRIPT = "/web/v4/key";

const pageWith = (script: string) => `<!doctype html><title>Shop</title>
<script type="module">
  import * as devid from "${script}";
  window.devid = devid;
</script>`;

/**
 * Serves a page at every address, and the script of the agent. `csp` is the pages' content
 * security policy.
 */
export function agentSite(
  csp?: string,
  script: string = LOADED,
): Promise<PlainServer> {
  return plainServer(({ path }, response) => {
    if (csp !== undefined) response.setHeader("content-security-policy", csp);
    if (path.startsWith("/web/v4/")) {
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
      response.end(pageWith(script));
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
    /** The answer of the agent's own guard. */
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
