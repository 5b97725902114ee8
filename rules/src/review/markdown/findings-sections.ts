import { findingBlock } from "../../report/finding-block";
import type { Review, ReviewFinding } from "../review";
import { codeFence } from "./code-fence";
import { foldedSection, type Section } from "./fit-sections";

/** What was found in the file: what asks for attention, and folded what does not. */
export function findingsSections({ file, findings }: Review): Section[] {
  const blocks = (wanted: (finding: ReviewFinding) => boolean) =>
    findings
      .filter(wanted)
      .map((finding) => codeFence(findingBlock(finding, file)));
  const first = blocks(isUrgent);
  const rest = blocks((finding) => !isUrgent(finding));
  const look = { noun: "findings", isSpaced: true };
  const sections: Section[] = [];
  if (first.length > 0)
    sections.push({ ...look, title: "#### Findings", items: first });
  if (rest.length > 0)
    sections.push(
      foldedSection({
        ...look,
        title: `Notes, and what was found before the change, too: ${rest.length}`,
        items: rest,
      }),
    );
  return sections;
}

/** Whether a reviewer has to see a finding: errors always, notes never, warnings when they are new. */
function isUrgent({ severity, isKnown }: ReviewFinding): boolean {
  return severity === "error" || (severity === "warning" && !isKnown);
}
