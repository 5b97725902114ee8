import { markup, type Markup, type MarkupPart } from "@devid/rules/internals";
import {
  ANY_REQUEST,
  botFlags,
  eventAsRuleRequest,
  explainRules,
  openCheckedRuleFile,
  problemText,
  RuleFileError,
  ruleFileYaml,
  type ExplainedRule,
  type Explanation,
  type PartialRuleRequest,
  type Rule,
  type RuleFileProblem,
  type TermRead,
  type TermTrace,
} from "@devid/rules";
import type { Event, Region } from "@devid/sdk";
import { issueMessage, TestRequestPayload } from "@devid/sdk/wire";
import type { Context } from "../context";
import { actionOf, badge, ruleName, rulePlaygroundPath, short } from "./html";
import { type ConsolePage, type Section, table, type Tone } from "./html";

/** How many visits and environments the page offers. */
const VISITS = 50;
const ENVIRONMENTS = 100;

const EXAMPLE = {
  headers: { Origin: ["https://shop.example"] },
  ip: "203.0.113.7",
  userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1)",
  sdkPlatform: "js",
};

/** What the form of the page holds. */
interface Question {
  /** A rule file. */
  readonly rules: string;
  readonly environment: string;
  /** A request as JSON. */
  readonly request: string;
  /** Whether what the request lacks is unknown. */
  readonly isPartial: boolean;
  /** The visit that it was taken from: `decision:{number}` or `event:{id}`. */
  readonly visit: string;
}

/**
 * A page that shows what rules decide about a request and why. `form` is what its form sent: `do` is the button. The
 * query of a link to the page has the same names. Undefined if the environment or the
 * visit of a link does not exist.
 */
export function rulePlaygroundPage(
  context: Context,
  region: Region,
  form: URLSearchParams,
): ConsolePage | undefined {
  const { store } = context;
  const environments = store.environments.page(region, {}, ENVIRONMENTS).rows;
  // A form holds what somebody wrote, so it is shown again whatever was deleted meanwhile.
  const isForm = form.has("do");
  const visit = form.get("visit") ?? "";
  const named =
    form.get("environment") ?? environmentOf(context, region, visit);
  const own = store.environments.get({ workspace: region, id: named ?? "" });
  const first = named === undefined || isForm ? environments[0] : undefined;
  const environment = (own ?? first)?.id;
  if (environment === undefined) return undefined;
  const asked = form.get("do") ?? (visit === "" ? "nothing" : "take");
  const isTaken = asked === "take" && visit !== "";
  const taken = isTaken ? requestOf(context, region, visit) : undefined;
  const isGone = isTaken && taken === undefined;
  if (isGone && !isForm) return undefined;
  const sent = asked === "restore" ? null : form.get("rules");
  const question: Question = {
    environment,
    visit,
    rules: sent ?? rulesText(context, region, environment),
    request: taken ?? form.get("request") ?? JSON.stringify(EXAMPLE, null, 2),
    // An event lacks parts of its request; a decision has the whole request.
    isPartial: taken ? visit.startsWith(EVENT) : form.has("partial"),
  };
  const results = isGone
    ? () => refused([`The visit is no longer stored: ${visit}`])
    : () => decide(question);
  const isDecided = asked === "take" || asked === "decide";
  return {
    title: `rule playground of ${region}`,
    region,
    of: (other) => other && rulePlaygroundPath(other),
    form: formHtml(question, visitChoices(context, region), environments),
    sections: isDecided ? [results()] : [],
    isLive: false,
  };
}

const EVENT = "event:";

/** The environment of an event, unless it was deleted. */
function environmentOf(
  { store: { events, environments } }: Context,
  region: Region,
  visit: string,
): string | undefined {
  const event = events.get(region, visit.slice(EVENT.length));
  const id = event?.environment_id ?? "";
  return environments.get({ workspace: region, id })?.id;
}

/** The request of a visit, as JSON; of an event, what is known of it. */
function requestOf(
  { store }: Context,
  region: Region,
  visit: string,
): string | undefined {
  if (!visit.startsWith(EVENT)) {
    const [, n = 0] = /^decision:(\d{1,15})$/.exec(visit) ?? [];
    const decision = store.activity.decision(region, Number(n));
    return decision && JSON.stringify(JSON.parse(decision.request), null, 2);
  }
  const event = store.events.get(region, visit.slice(EVENT.length));
  if (!event) return undefined;
  // Stored events were checked when they were stored. JSON leaves out what is unknown.
  const { headers, ip, userAgent, sdkPlatform, sdkVersion, appPackageName } =
    eventAsRuleRequest(JSON.parse(event.body) as Event);
  return JSON.stringify(
    { headers, ip, userAgent, sdkPlatform, sdkVersion, appPackageName },
    null,
    2,
  );
}

/** The rules in force in an environment, as a rule file. */
function rulesText(
  { store }: Context,
  region: Region,
  environment: string,
): string {
  const rules = store.filteringRules
    .list(region, { environment })
    .map(({ name, expression, action, status, deny_with }) => ({
      ...{ name, expression, action, status },
      denyWith: deny_with ?? undefined,
    }));
  return rules.length === 0 ? "rules: []\n" : ruleFileYaml(rules);
}

function visitChoices({ store }: Context, region: Region): Choice[] {
  return store.activity.visits([region], VISITS).map((visit) => {
    const { at, decision, event_id, result, rule, page } = visit;
    const none = decision === null ? "a control call" : "no rule";
    const by = `${result === "deny" ? "refused by " : ""}${rule ?? none}`;
    const name = `${at.slice(0, 19).replace("T", " ")}, ${by}, ${short(page) ?? ""}`;
    const id = decision === null ? EVENT + event_id : `decision:${decision}`;
    return { id, name: name.slice(0, 100) };
  });
}

/** Something to choose. */
interface Choice {
  readonly id: string;
  readonly name: string;
}

const button = (value: string, words: string) =>
  markup`<button name="do" value="${value}">${words}</button>`;

/** A control under its label, and perhaps a button beside it, with `help` below. */
const field = (
  id: string,
  label: string,
  control: (attributes: Markup) => MarkupPart,
  help?: MarkupPart,
) => {
  const described = help && markup`aria-describedby="${id}-help"`;
  return markup`<p class="field">
    <label for="${id}">${label}</label>
    <span class="beside">${control(markup`id="${id}" name="${id}" autocomplete="off" spellcheck="false" ${described}`)}</span>
    ${help && markup`<small id="${id}-help">${help}</small>`}
  </p>`;
};

const choices = (all: readonly Choice[], chosen: string) =>
  all.map(
    ({ id, name }) =>
      markup`<option value="${id}" ${id === chosen && "selected"}>${name}</option>`,
  );

const formHtml = (
  { rules, environment, request, isPartial, visit }: Question,
  visits: readonly Choice[],
  environments: readonly Choice[],
) =>
  markup`<form class="code" method="post" action="?#results">
    <!-- The key Enter presses the first button of a form. -->
    <button name="do" value="decide" hidden></button>
    <fieldset>
      <legend>Request</legend>
      ${field(
        "visit",
        "Take the request of a visit",
        (own) => markup`<select ${own}>
          ${choices([{ id: "", name: "none: as it stands below" }, ...visits], visit)}
        </select> ${button("take", "Take")}`,
      )}
      ${field(
        "request",
        "Request, as JSON",
        (own) => markup`<textarea rows="12" ${own}>
${request}</textarea>`,
        markup`As <code>POST /filtering-rules/test</code> takes it.`,
      )}
      <p class="field">
        <label
          ><input type="checkbox" name="partial" ${isPartial && "checked"} />
          What it does not contain is unknown, as with a past event</label
        >
      </p>
    </fieldset>
    <fieldset>
      <legend>Rules</legend>
      ${field(
        "environment",
        "Environment",
        (
          own,
        ) => markup`<select ${own}>${choices(environments, environment)}</select>
          ${button("restore", "Its rules in force")}`,
      )}
      ${field(
        "rules",
        "Rule file",
        (own) => markup`<textarea rows="14" ${own}>
${rules}</textarea>`,
        "It begins with the rules in force there. Nothing that you change here is put in force.",
      )}
    </fieldset>
    <p class="actions">
      <button class="main" name="do" value="decide">Decide the request</button>
    </p>
  </form>`;

/** What a text says, or the problems that make it unreadable. */
interface Read<T> {
  readonly value?: T;
  readonly problems: readonly string[];
}

function readRules(text: string): Read<readonly Rule[]> {
  const placed = (problem: RuleFileProblem) =>
    `Rule file, line ${problem.line}, column ${problem.column}: ${problemText(problem)}`;
  try {
    return { value: openCheckedRuleFile(text, "rules").rules, problems: [] };
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    return { problems: error.problems.map(placed) };
  }
}

function readRequest(
  json: string,
  isPartial: boolean,
): Read<PartialRuleRequest> {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    const { message } = error as SyntaxError;
    return { problems: [`Request: it is not JSON: ${message}`] };
  }
  const checked = TestRequestPayload.safeParse(given, { error: issueMessage });
  if (!checked.success)
    return {
      problems: checked.error.issues.map(({ path, message }) =>
        ["Request", ...path, message].join(": "),
      ),
    };
  const { headers = {}, ...sent } = checked.data;
  // The flags of a user agent that is unknown are unknown, too.
  const flags =
    isPartial && sent.userAgent === undefined ? {} : botFlags(sent.userAgent);
  const unknown = isPartial ? ANY_REQUEST : {};
  return { value: { ...unknown, ...flags, ...sent, headers }, problems: [] };
}

/** What the rules decide about the request: each rule with its terms. */
function decide({ rules: text, request: json, isPartial }: Question): Section {
  const rules = readRules(text);
  const request = readRequest(json, isPartial);
  const problems = [...rules.problems, ...request.problems];
  if (!rules.value || !request.value || problems.length > 0)
    return refused(problems);
  const explained = explainRules(rules.value, request.value);
  // The rules were read, so none is refused.
  if ("refused" in explained) return refused([]);
  const { result, mayDecide } = explained;
  const isSure = result !== "cannot tell";
  const names = mayDecide.map((name, n) => [n > 0 && ", ", ruleName(name)]);
  const by =
    names.length === 0
      ? ", for no rule matches."
      : markup`${isSure ? ", decided by" : ": it depends on unknown parts of the request. May decide:"} ${names}.`;
  const rows = table("Rules", explained.rules, [
    ["Rule", ({ rule }) => ruleName(rule)],
    ["Does", ({ action }) => actionOf(action)],
    [
      "Verdict",
      ({ rule, outcome }) => [
        toned(outcome),
        mayDecide.includes(rule) &&
          markup` ${badge(isSure ? "good" : "wait", isSure ? "decides" : "may decide")}`,
      ],
    ],
    [
      "Why",
      ({ trace }) => markup`<ul class="terms">${termHtml(trace)}</ul>`,
      "long",
    ],
  ]);
  return {
    id: "results",
    title: "Decision",
    content: markup`<p>${toned(result)}${by}</p>
      ${explained.rules.length > 0 && rows}`,
  };
}

const refused = (problems: readonly string[]): Section => ({
  id: "results",
  title: "This cannot be evaluated",
  content: markup`<ul>
    ${problems.map((problem) => markup`<li>${problem}</li>`)}
  </ul>`,
});

const TONES: Readonly<Record<string, Tone>> = {
  allow: "good",
  matched: "good",
  true: "good",
  deny: "bad",
  failed: "bad",
  "cannot tell": "wait",
  "may match": "wait",
  unknown: "wait",
};

/** A result of a trace in its own words, as `devid rules eval --trace` prints them. */
const toned = (
  word: Explanation["result"] | ExplainedRule["outcome"] | TermTrace["outcome"],
) => badge(TONES[word] ?? "plain", word);

function termHtml(trace: TermTrace): Markup {
  const { term, outcome, problem, reads = [], operator, parts = [] } = trace;
  const read = ({ field, value }: TermRead) =>
    field !== term &&
    markup`<small><code>${field}</code> ${readAs(value)}</small>`;
  const nested = parts.map((part, n) => [
    n > 0 && markup`<li class="operator"><code>${operator}</code></li>`,
    termHtml(part),
  ]);
  return markup`<li>
    ${toned(outcome)} <code>${term}</code>
    ${problem !== undefined && markup`<small>${problem}</small>`}
    ${reads.map(read)}${parts.length > 0 && markup`<ul>${nested}</ul>`}
  </li>`;
}

function readAs(value: unknown): MarkupPart {
  if (value === undefined) return "was not sent";
  if (value === "unknown") return "is unknown";
  return markup`is <code>${JSON.stringify(value)}</code>`;
}
