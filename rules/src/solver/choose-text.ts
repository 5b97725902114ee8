import type { Formula } from "./formula";
import type { Knowledge } from "./knowledge";
import type { TextSubject } from "./subject";
import { textCandidates } from "./text-candidates";
import { isOneOf } from "./text-formula";

/** Takes a choice for true, with all that follows; false where that cannot be. */
export type Commit = (choice: Formula) => boolean;

/** Most candidates that are tried for one text. */
const MAX_CANDIDATES = 80;

/** Chooses a text that fits what is known, those that are preferred first; undefined where none is found. */
export function chooseText(
  subject: TextSubject,
  knowledge: Knowledge,
  commit: Commit,
  preferred: readonly string[] = [],
): string | undefined {
  let tried = 0;
  const candidates = [preferred, textCandidates(subject, knowledge)];
  for (const texts of candidates)
    for (const text of texts) {
      if (tried++ > MAX_CANDIDATES) return undefined;
      if (attempt(isOneOf(subject, [text]), knowledge, commit)) return text;
    }
  return undefined;
}

/** Commits to a choice, or forgets it. */
export function attempt(
  choice: Formula,
  knowledge: Knowledge,
  commit: Commit,
): boolean {
  const mark = knowledge.mark();
  if (commit(choice)) return true;
  knowledge.backTo(mark);
  return false;
}
