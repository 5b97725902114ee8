import { expect, it } from "vitest";
import { parse } from "yaml";
import { rowsOf } from "../helpers/cells-of.js";
import type { LocalWorkspace } from "../helpers/local-workspace.js";
import type { Answer } from "./answer.js";
import { sendDrn } from "./device-reputation/drn-calls.js";
import { sendEvents } from "./server-api/event-calls.js";
import { sendLegacy } from "./server-api/legacy/legacy-calls.js";

/**
 * A test for each title of a text, which stands at the beginning of a line. Below it, indented, are its
 * requests: `[eu|control|v4|v3|drn] METHOD PATH [BODY] = STATUS [NAME] [EXPECTED]`, in YAML:
 *
 * - NAME saves the record of the answer, or the first one of a list. `$key` is then its ID, `$key.token` a member.
 *   Of a refusal, NAME is its code.
 * - `deny: NAME` in a body stands for a rule that denies, and `rule: NAME` for one of the default environment.
 * - EXPECTED has members of the record (or all, `{only: {id: $a}}`) or of the error, or the violated properties, or the records of a list
 *   (`{list: [{name: a}]}`), or their IDs (`{ids: [$a, $b]}`), or their names (`{names: [a, b]}`).
 * - `x*255` are 255 letters x, `~tok_` is any text that begins with `tok_`, `~w32` has 32
 *   letters, `~b32` is base64 of 32 bytes, and `~time` is a time.
 *
 * `clock TIME` turns the clock. A line that begins with neither continues the last one.
 * A line that begins with `//` is a comment.
 */
export function requestTests(local: LocalWorkspace, text: string) {
  const rows = rowsOf(text).map(([title = "", ...lines]) => ({ title, lines }));
  it.each(rows)("$title", async ({ lines }) => {
    const saved = { default: local.service.workspaces.us.environment };
    for (const step of lines.join("\n").split(STEP))
      await send(local, step, saved);
  });
}

const STEP =
  /^\s*(?=(?:(?:eu|control|v4|v3|drn) )?(?:GET|POST|PUT|PATCH|DELETE|clock) )/gm;
const CALL =
  /^(?:(eu|control|v4|v3|drn) )?(\w+) (\S+)(?: (.*?))? = (\d+)(?: ([\w.]+)(?=$| [{[]))?(?: (.*))?$/;

/** What a row has saved by name: records, and the ID of the default environment. */
type Saved = Record<string, unknown>;

async function send(local: LocalWorkspace, step: string, saved: Saved) {
  const line = step.replace(/\s+/g, " ").trim();
  if (line.startsWith("clock")) {
    await local.moveClock(line.split(" ")[1] ?? "");
    return;
  }
  const [, at = "us", method = "", path = "", text, status, name, wanted] =
    CALL.exec(line) ?? [];
  const { us, eu, controlCall: control } = local;
  const servers = {
    v4: sendEvents(local),
    v3: sendLegacy(local),
    drn: sendDrn(local),
  };
  const calls = { us, eu, control, ...servers };
  const answer = await calls[at as keyof typeof calls](
    method,
    path.replace(/\$(\w+)/g, (_, one: string) => String(savedAs(saved, one))),
    text === undefined ? {} : { body: filled(text, saved) },
  );
  expect([line, answer.status]).toEqual([line, Number(status)]);
  const isRefused = answer.status >= 400;
  if (name !== undefined && isRefused) expect(answer.error.code).toBe(name);
  else if (name !== undefined) saved[name] = [recordOf(answer)].flat()[0];
  if (wanted === undefined) return;
  const value = filled(wanted, saved) as Partial<Saved>;
  if (Array.isArray(value)) expect(answer.violated).toEqual(value);
  else if (value.ids) expect(answer.ids).toEqual(value.ids);
  else if (value.names)
    expect(answer.list.map(({ name }) => name)).toEqual(value.names);
  else if (value.only) expect(recordOf(answer)).toEqual(value.only);
  else if (value.list) expect(answer.list).toMatchObject(value.list);
  else expect(isRefused ? answer.error : recordOf(answer)).toMatchObject(value);
}

/** Only answers of the management API have their record in `data`. */
function recordOf({ body }: Answer): unknown {
  return typeof body === "object" && body && "data" in body ? body.data : body;
}

/** A request or an expectation, with what its texts stand for. */
const filled = (text: string, saved: Saved): unknown =>
  parse(text, (_, value: unknown) => {
    if (typeof value === "string") return meant(value, saved);
    if (typeof value !== "object" || value === null) return value;
    if (!("rule" in value || "deny" in value)) return value;
    const { rule, deny = rule, ...more } = value as Saved;
    const environment =
      rule === undefined ? {} : { environment: saved["default"] };
    return { name: deny, ...DENY, ...environment, ...more };
  });

const DENY = { expression: "http.user_agent.is_ai_bot", action: "deny" };

function savedAs(saved: Saved, name: string, member = "id"): unknown {
  const found = saved[name];
  return typeof found === "object" && found !== null
    ? (found as Saved)[member]
    : found;
}

function meant(text: string, saved: Saved): unknown {
  const [, name, member] = /^\$(\w+)(?:\.(\w+))?$/.exec(text) ?? [];
  if (name !== undefined) return savedAs(saved, name, member);
  const [, letter, count] = /^(.)\*(\d+)$/.exec(text) ?? [];
  if (letter !== undefined) return letter.repeat(Number(count));
  if (!text.startsWith("~")) return text;
  const [, letters] = /^~w(\d+)$/.exec(text) ?? [];
  const pattern =
    text === "~b32"
      ? /^[A-Za-z0-9+/]{43}=$/
      : text === "~time"
        ? /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/
        : RegExp(letters ? `^[\\w-]{${letters}}$` : `^${text.slice(1)}`);
  return expect.stringMatching(pattern);
}
