import { resultOf, type AgentResult } from "./agent-result";
import { FingerprintError } from "./fingerprint-error";
import {
  checkGetOptions,
  type CheckedGetOptions,
  type GetOptions,
} from "./options";
import { postIdentification } from "./post-identification";
import type { ResultCache } from "./result-cache";
import { collectSignals } from "./signals";
import type { VisitorStorage } from "./visitor-storage";
import {
  parseAnswer,
  type IdentificationAnswer,
  type IdentificationBody,
} from "./wire";

/** Version of the agent, sent with every request; a test holds it equal to package.json. */
export const version = "0.1.0";

/** Identifies the browser that it runs in; made by `start()`. */
export interface Agent {
  /**
   * Makes an event, or takes the last result from the cache. Rejects with
   * FingerprintError, whose `code` says why (docs/contract.md, "Agent errors"). At
   * least 1 second should lie between `start()` and this call.
   */
  get(options?: GetOptions): Promise<AgentResult>;
  /**
   * The request that `get()` would send, for a page that sends it to the service
   * itself.
   */
  collect(options?: GetOptions): Promise<string>;
  /**
   * Reads the service's answer to what `collect()` gave. Throws FingerprintError
   * `handle_agent_data` for any other text.
   */
  handleAgentData(data: string): AgentResult;
}

/** What an agent needs. */
export interface AgentDependencies {
  /** Where `get()` sends its request, tried in order; `collect()` needs none. */
  readonly addresses: readonly string[];
  readonly storage: VisitorStorage;
  /** As `name/version`, or `name/version/subname/subversion`. */
  readonly integrations: readonly string[];
  readonly cache?: ResultCache;
  /** Removes the parts of an address that must not leave the page. */
  readonly hashUrl?: (url: string) => string;
  /**
   * Version of the vendor's loader, if it loaded the agent. The agent then reports this
   * version and uses only published error codes (docs/assumptions.md, A180).
   */
  readonly loaderVersion?: string;
}

/** Makes an agent; it reads nothing of the page before the first call. */
export function createAgent(dependencies: AgentDependencies): Agent {
  const { addresses, storage, cache, hashUrl } = dependencies;
  const keep = (answer: IdentificationAnswer): AgentResult => {
    storage.write(answer.storage_id);
    cache?.write(answer);
    return resultOf(answer, cache && false);
  };
  return {
    async get(options = {}) {
      const call = readCall("get()", options, dependencies);
      const cached = cache?.read();
      if (cached) return resultOf(cached, true);
      return keep(
        await postIdentification(addresses, {
          body: JSON.stringify(bodyOf(call, dependencies)),
          hidesAddress: hashUrl !== undefined,
          timeoutMs: call.timeoutMs,
        }),
      );
    },
    collect: (options = {}) =>
      // Inside a promise, what throws becomes a rejection.
      new Promise((resolve) => {
        const call = readCall("collect()", options, dependencies);
        resolve(JSON.stringify(bodyOf(call, dependencies)));
      }),
    handleAgentData: (data) => keep(answerIn(data)),
  };
}

function readCall(
  call: "get()" | "collect()",
  options: GetOptions,
  { loaderVersion }: AgentDependencies,
): CheckedGetOptions {
  const isLoaded = loaderVersion !== undefined;
  if (isLoaded && self.origin === "null" && self !== parent)
    throw new FingerprintError(
      "sandboxed_iframe",
      `${call} is called in a sandboxed frame, which has no storage: add allow-same-origin to its sandbox.`,
    );
  return checkGetOptions(call, options, isLoaded);
}

function bodyOf(
  { linked_id, tag }: CheckedGetOptions,
  {
    storage,
    integrations,
    hashUrl = (url) => url,
    loaderVersion = version,
  }: AgentDependencies,
): IdentificationBody {
  return {
    sdk: {
      platform: "js",
      version: loaderVersion,
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
  const [name, number, subName, subNumber] = text.split("/");
  return {
    name,
    ...(number && { version: number }),
    ...(subName && {
      subintegration: {
        name: subName,
        ...(subNumber && { version: subNumber }),
      },
    }),
  };
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
