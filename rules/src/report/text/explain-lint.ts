import { FILE_CODES } from "../../lint/file-codes";
import { LINTS } from "../../lint/lints";
import { describeLint } from "../describe/describe-lint";
import { hints } from "./finding-block";
import { visibleText, wrap } from "../describe/visible-text";

/**
 * Explains the code of a finding to people: what it finds, why that matters, an example
 * with its finding and the proof, and the corrected example. Undefined for a text that
 * is no code.
 */
export function explainLint(code: string): string | undefined {
  const ofFile = FILE_CODES.find((one) => one.code === code);
  if (ofFile)
    return `${wrap("", `${ofFile.severity} ${code}: ${ofFile.doc}`)}\n`;
  const lint = LINTS.find((one) => one.code === code);
  if (!lint) return undefined;
  const { severity, doc, detail, facts = [], ...example } = describeLint(lint);
  const { found, finding, proof, fixed } = example;
  const { rule, message, fix, request } = finding;
  const said = [
    wrap(
      `${severity} ${code} `,
      visibleText(`rule "${rule}": ${message}`),
      "  ",
    ),
    ...hints(request, fix),
  ].join("\n");
  return [
    wrap("", `${severity} ${code}: ${doc}`),
    ...(detail === undefined ? [] : [wrap("", detail)]),
    ...facts.map(([parts, sent]) => wrap(`${parts}: `, sent, "  ")),
    `Found in\n\n${indented(found)}`,
    said,
    wrap("", proof),
    `Corrected\n\n${indented(fixed)}`,
    `To allow this finding in a rule: # devid-allow ${code}: the reason`,
    "",
  ].join("\n\n");
}

const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, "  ");
