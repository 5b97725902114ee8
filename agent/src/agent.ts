import type { IdentificationAnswer, IdentificationBody } from "./wire";
import { version } from "./version";
import { resultOf, type AgentResult } from "./agent-result";
import type { Addresses } from "./endpoints";
import { FingerprintError } from "./fingerprint-error";
import { foregroundDeadline } from "./foreground-deadline";
import {
  checkGetOptions,
  type CheckedGetOptions,
  type GetOptions,
} from "./get-options";
import { parseAnswer } from "./parse-answer";
import { postIdentification } from "./post-identification";
import type { ResultCache } from "./result-cache";
import { collectSignals } from "./signals/collect-signals";
import type { VisitorStorage } from "./visitor-storage";

/** Identifies the browser that it runs in; made by `start()`. */
export interface Agent {
  /**
   * Makes an event, or takes the last result from the cache. Rejects with
   * FingerprintError, whose `code` tells why (docs/contract.md, "Agent errors").
   */
  get(options?: GetOptions): Promise<AgentResult>;
  /** The request that `get()` would send, for a flow that carries it itself. */
  collect(options?: GetOptions): Promise<string>;
  /**
   * Reads the answer to what `collect()` gave. Throws FingerprintError
   * `handle_agent_data` for any other text.
   */
  handleAgentData(data: string): AgentResult;
}

/** What an agent is made of. */
export interface AgentParts {
  readonly addresses: Addresses;
  readonly storage: VisitorStorage;
  /** As `name/version`. */
  readonly integrations: readonly string[];
  readonly cache?: ResultCache;
  /** Hides what must not leave the page. */
  readonly hashUrl?: (url: string) => string;
}

/** Makes an agent; nothing of the page is touched before the first call. */
export function createAgent(parts: AgentParts): Agent {
  const { addresses, storage, cache, hashUrl } = parts;
  const keep = (answer: IdentificationAnswer): AgentResult => {
    storage.write(answer.storage_id);
    cache?.write(answer);
    return resultOf(answer, cache && false);
  };
  return {
    async get(options = {}) {
      const call = checkGetOptions(options);
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
      // What fails in here is a rejection.
      new Promise((resolve) =>
        resolve(JSON.stringify(bodyOf(checkGetOptions(options), parts))),
      ),
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
    // No JSON is no answer either.
  }
  throw new FingerprintError(
    "handle_agent_data",
    "handleAgentData() takes the answer of the identification endpoint, as text; this is none.",
  );
}
