import { resultOf, type AgentResult } from "./agent-result";
import { FingerprintError } from "./fingerprint-error";
import { foregroundDeadline } from "./foreground-deadline";
import {
  checkGetOptions,
  type CheckedGetOptions,
  type GetOptions,
} from "./get-options";
import { postIdentification } from "./post-identification";
import type { ResultCache } from "./result-cache";
import { collectSignals } from "./signals";
import type { VisitorStorage } from "./visitor-storage";
import {
  parseAnswer,
  type IdentificationAnswer,
  type IdentificationBody,
} from "./wire";

/** Version of this package, sent with every request; a test holds it equal to package.json. */
export const version = "0.1.0";

/** Identifies the browser that it runs in; made by `start()`. */
export interface Agent {
  /**
   * Makes an event, or takes the last result from the cache. Rejects with
   * FingerprintError, whose `code` says why (docs/contract.md, "Agent errors").
   */
  get(options?: GetOptions): Promise<AgentResult>;
  /** The request that `get()` would send, for a page that carries it to the service itself. */
  collect(options?: GetOptions): Promise<string>;
  /**
   * Reads the service's answer to what `collect()` gave. Throws FingerprintError
   * `handle_agent_data` for any other text.
   */
  handleAgentData(data: string): AgentResult;
}

/** What an agent is made of. */
export interface AgentParts {
  /** Where `get()` sends its request, tried in order; `collect()` needs none. */
  readonly addresses: readonly string[];
  readonly storage: VisitorStorage;
  /** As `name/version`. */
  readonly integrations: readonly string[];
  readonly cache?: ResultCache;
  /** Takes out of an address what must not leave the page. */
  readonly hashUrl?: (url: string) => string;
}

/** Makes an agent; it reads nothing of the page before the first call. */
export function createAgent(parts: AgentParts): Agent {
  const { addresses, storage, cache, hashUrl } = parts;
  const keep = (answer: IdentificationAnswer): AgentResult => {
    storage.write(answer.storage_id);
    cache?.write(answer);
    return resultOf(answer, cache && false);
  };
  return {
    async get(options = {}) {
      const call = checkGetOptions("get()", options);
      const cached = cache?.read();
      if (cached) return resultOf(cached, true);
      const deadline = foregroundDeadline(call.timeoutMs);
      try {
        const answer = await postIdentification(addresses, {
          body: JSON.stringify(bodyOf(call, parts)),
          hidesAddress: hashUrl !== undefined,
          timeoutMs: call.timeoutMs,
          signal: deadline.signal,
        });
        return keep(answer);
      } finally {
        deadline.release();
      }
    },
    collect: (options = {}) =>
      // Inside a promise, what throws becomes a rejection.
      new Promise((resolve) => {
        const call = checkGetOptions("collect()", options);
        resolve(JSON.stringify(bodyOf(call, parts)));
      }),
    handleAgentData: (data) => keep(answerIn(data)),
  };
}

function bodyOf(
  { linked_id, tag }: CheckedGetOptions,
  { storage, integrations, hashUrl = (url) => url }: AgentParts,
): IdentificationBody {
  return {
    sdk: {
      platform: "js",
      version,
      ...(integrations.length > 0 && {
        integrations: integrations.map(readIntegration),
      }),
    },
    url: hashUrl(location.href),
    ...(document.referrer && { client_referrer: hashUrl(document.referrer) }),
    linked_id,
    tag,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    storage_id: storage.read(),
    signals: collectSignals(),
  };
}

function readIntegration(text: string) {
  const [name, number] = text.split("/");
  return { name, ...(number && { version: number }) };
}

function answerIn(data: string): IdentificationAnswer {
  try {
    const answer = parseAnswer(JSON.parse(data));
    if (answer) return answer;
  } catch {
    // A text that is no JSON gets the same error as JSON of another form.
  }
  throw new FingerprintError(
    "handle_agent_data",
    "handleAgentData() takes the answer of the identification endpoint, as a string; this is something else.",
  );
}
