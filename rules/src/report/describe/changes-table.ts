import type { RuleChange } from "../../diff/rule-change";
import { code, type Block, type Prose, type Table } from "./block";
import {
  describeChange,
  describeEdit,
  describeExpression,
  effectText,
} from "./describe-diff";

/** Changes as a table, for Markdown and HTML. */
export const changesTable = ({
  changes,
  maxEdits = Infinity,
}: Extract<Block, { kind: "changes" }>): Table => ({
  kind: "table",
  name: "changes",
  columns: [
    { name: "#", isNumber: true },
    ...["Rule", "Action", "Change", "Effect"].map((name) => ({ name })),
  ],
  rows: changes.map((change) => cellsOf(change, maxEdits)),
  noun: "changes",
});

function cellsOf(change: RuleChange, maxEdits: number): Prose[] {
  const details = detailsOf(change);
  const rest = details.length - maxEdits;
  const shown = details.slice(0, maxEdits);
  if (rest > 0) shown.push(`and ${rest} more edits`);
  return [
    String(change.position ?? ""),
    code(change.rule.name),
    code(change.rule.action),
    [describeChange(change), ...shown].join("\n"),
    effectText(change.effect),
  ];
}

function detailsOf(change: RuleChange): Prose[] {
  if (change.kind === "added" || change.kind === "removed")
    return [code(describeExpression(change.rule.expression))];
  const edits = change.kind === "edited" ? change.expression?.edits : undefined;
  return (edits ?? []).map((edit) => {
    const place = edit.at === "" ? "" : `in ${code(edit.at)}: `;
    return place + describeEdit(edit);
  });
}
