import {
  botFlags,
  eventAsRuleRequest,
  explainRules,
  mistakesInExpressions,
  openRuleFile,
  problemText,
  ruleFileYaml,
  RuleFileError,
  type PartialRuleRequest,
  type Rule,
  type RuleFileProblem,
  ANY_REQUEST,
} from "@devid/rules";
import {
  formatImpactText,
  measureImpact,
  type Impact,
} from "@devid/review/replay";
import type { Event, Region } from "@devid/sdk";
import { issueMessage, TestRequestPayload } from "@devid/sdk/wire";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Context } from "../../context";
import { listRulesInForce } from "../../rules/rules-in-force";
import { eventConditions } from "../../store/event-conditions";
import type { Store } from "../../store/store";
import { markup, type Markup } from "@devid/review/internals";
import { explanationHtml } from "./explanation";
import { REPLAYED } from "./rule-playground-page";

/** What the page asks: rules, and a request to decide. */
export const Question = z.strictObject({
  rules: z.string(),
  request: z.string(),
  isPartial: z.boolean(),
});

/** What the page asks: what rules would have done to the events of an environment. */
export const Replay = z.strictObject({
  rules: z.string(),
  environment: z.string(),
});

/** What rules decide about a request, or what is wrong with either, as a part of the page. */
export function decide({
  rules: text,
  request: json,
  isPartial,
}: z.output<typeof Question>): Markup {
  const rules = readRules(text);
  const request = readRequest(json, isPartial);
  const problems = [...problemsOf(rules), ...problemsOf(request)];
  if ("problems" in rules || "problems" in request) return refused(problems);
  const explained = explainRules(rules, request);
  // The rules were read, so none is refused.
  return "refused" in explained ? refused([]) : explanationHtml(explained);
}

/** What changed rules would have done to the last events of an environment, as a part of the page. */
export async function replay(
  context: Context,
  region: Region,
  { rules: text, environment }: z.output<typeof Replay>,
): Promise<Markup> {
  const proposed = readRules(text);
  if ("problems" in proposed) return refused(proposed.problems);
  const events = await lastEvents(context, region, environment);
  const [newest] = events;
  const oldest = events.at(-1);
  if (!newest || !oldest)
    return markup`<section aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="empty">The environment has no event to replay.</p>
    </section>`;
  const impact = await measureImpact(inSlices(events), {
    proposed,
    inForce: listRulesInForce(context.store, region, environment),
    start: oldest.timestamp,
    end: newest.timestamp + 1,
  });
  return impactHtml(impact, region);
}

/** The rules in force in an environment, as a rule file. */
export function rulesText(
  store: Store,
  region: Region,
  environment: string,
): string {
  const rules = listRulesInForce(store, region, environment).map(
    ({ id: _, ...rule }) => rule,
  );
  return rules.length === 0 ? "rules: []\n" : ruleFileYaml(rules);
}

/** The request of an event as far as it is known, as JSON. */
export function requestOfEvent(body: string): string {
  // Stored events were checked when they were stored.
  const { headers, ip, userAgent, sdkPlatform, sdkVersion, appPackageName } =
    eventAsRuleRequest(JSON.parse(body) as Event);
  const known = {
    headers,
    ip,
    userAgent,
    sdkPlatform,
    sdkVersion,
    appPackageName,
  };
  return JSON.stringify(known, null, 2);
}

interface Problems {
  readonly problems: readonly string[];
}

const problemsOf = (read: object): readonly string[] =>
  "problems" in read ? (read as Problems).problems : [];

function refused(problems: readonly string[]): Markup {
  return markup`<section aria-labelledby="problems-title">
    <h2 id="problems-title">This cannot be evaluated</h2>
    <ul>
      ${problems.map((problem) => markup`<li>${problem}</li>`)}
    </ul>
  </section>`;
}

function readRules(text: string): readonly Rule[] | Problems {
  try {
    const file = openRuleFile(text, "rules");
    const problems = mistakesInExpressions(file);
    return problems.length > 0
      ? { problems: problems.map(placedText) }
      : file.rules;
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    return { problems: error.problems.map(placedText) };
  }
}

const placedText = (problem: RuleFileProblem) =>
  `Rule file, line ${problem.line}, column ${problem.column}: ${problemText(problem)}.`;

function readRequest(
  json: string,
  isPartial: boolean,
): PartialRuleRequest | Problems {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return {
      problems: [`Request: it is not JSON: ${(error as Error).message}.`],
    };
  }
  const checked = TestRequestPayload.safeParse(value, { error: issueMessage });
  if (!checked.success)
    return {
      problems: checked.error.issues.map(({ path, message }) =>
        ["Request", z.core.toDotPath(path), message]
          .filter((part) => part !== "")
          .join(": "),
      ),
    };
  const { headers = {}, ...known } = checked.data;
  if (!isPartial) return { ...botFlags(known.userAgent), ...known, headers };
  return {
    ...ANY_REQUEST,
    ...(known.userAgent !== undefined && botFlags(known.userAgent)),
    ...known,
    headers,
  };
}

/** The last events of an environment, the newest first. Others are answered in between. */
async function lastEvents(
  { store, clock }: Context,
  workspace: Region,
  environment: string,
): Promise<Event[]> {
  const found: Event[] = [];
  const walk = store.events.walk({
    workspace,
    conditions: eventConditions({ environment: [environment] }, new Set()),
    startMs: 0,
    endMs: clock.nowMs(),
    lastSeq: store.events.lastSeq(),
    reverse: false,
    limit: REPLAYED,
  });
  for (const places of walk) {
    const wanted = places.slice(0, REPLAYED - found.length);
    for (const body of store.events.bodies(wanted))
      found.push(JSON.parse(body) as Event);
    if (found.length === REPLAYED) break;
    await setImmediate();
  }
  return found;
}

/** How many events are replayed before other requests have their turn. */
const SLICE = 100;

async function* inSlices(events: readonly Event[]) {
  for (const [n, event] of events.entries()) {
    if (n % SLICE === 0) await setImmediate();
    yield event;
  }
}

function impactHtml(impact: Impact, region: Region): Markup {
  const { newlyDenied, newlyAllowed } = impact;
  const denied = newlyDenied.examples;
  const allowed =
    newlyAllowed === "not observable" ? [] : newlyAllowed.examples;
  const links = (title: string, ids: readonly string[]) =>
    ids.length > 0 &&
    markup`<p>
      ${title}, for example:
      ${ids.map((id) => markup`<a href="/console/events/${region}/${id}">${id}</a> `)}
    </p>`;
  return markup`<section aria-labelledby="replay-title">
    <h2 id="replay-title">Replay of the last ${impact.events} events</h2>
    <p>
      ${impact.total.newlyDenied.value} newly denied,
      ${newlyAllowed === "not observable" ? "newly allowed not observable" : markup`${newlyAllowed.events} newly allowed`},
      ${impact.total.cannotTell.value} undetermined.
    </p>
    <pre class="report" tabindex="0" role="group" aria-label="Replay">
${formatImpactText(impact)}</pre>
    ${links("Newly denied", denied)}${links("Newly allowed", allowed)}
  </section>`;
}
