import type { CodeHost, HostText } from "./code-host";
import { unlessGone } from "./host-calls";

/** Most characters of a comment or an issue that GitHub takes. */
export const COMMENT_LIMIT = 65_536;

/**
 * Most characters of the text of a comment. The other characters are for the record of the
 * plan, and for the line that marks the comment as outdated.
 */
export const LONGEST_TEXT = COMMENT_LIMIT - 600;

/** Entries of a page. A page with fewer is the last one. */
const PAGE = 100;

/** Pages that are looked through: 20,000 comments, issues or requests. */
const MOST_PAGES = 200;

/** How a comment says that the rules have changed since its review. */
const OUTDATED = "> **Outdated:**";

/**
 * Edits the comment of this account with the same marker, or writes one.
 * @returns what was done, for the log
 */
export async function putComment(
  host: CodeHost,
  request: string,
  body: string,
): Promise<string> {
  const found = await ownComment(host, request, firstLine(body));
  if (found && (await unlessGone(host.editComment(request, found.id, body))))
    return "The comment was edited.";
  await host.addComment({ request }, body);
  return "The comment was made.";
}

/** The comment on a request that this account wrote and that begins with a marker. */
export async function ownComment(
  host: CodeHost,
  request: string,
  marker: string,
): Promise<HostText | undefined> {
  return (
    await ownTexts(host, (page) => host.comments({ request }, page), marker)
  )[0];
}

/** Whether this account has reviewed a request, whatever the rule file and stack. */
export async function isReviewed(
  host: CodeHost,
  request: string,
): Promise<boolean> {
  return (await ownComment(host, request, "<!-- devid-review:")) !== undefined;
}

/**
 * Does something for each open request. A failure is thrown only after all other requests
 * had their turn. All pages are read first: the work takes a while, and each request that is
 * opened or closed meanwhile would move others to another page.
 * @param work what it returns is for the log
 */
export async function forOpenRequests(
  host: CodeHost,
  work: (request: string) => Promise<string | undefined>,
): Promise<void> {
  const failures: unknown[] = [];
  const requests = new Set<string>();
  for await (const request of everyOf((page) => host.openRequests(page)))
    requests.add(request);
  for (const request of requests)
    try {
      const done = await work(request);
      if (done !== undefined) process.stdout.write(`${done}\n`);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/**
 * Marks the reviews of the open requests as outdated, after the main branch has changed
 * the rules. Only the line behind the marker says that a comment is outdated.
 */
export const markOutdated = (host: CodeHost, marker: string): Promise<void> =>
  forOpenRequests(host, async (request) => {
    const found = await ownComment(host, request, marker);
    const [first = "", ...rest] = found?.body.split(/\r?\n/) ?? [];
    if (!found || rest[0]?.startsWith(OUTDATED)) return undefined;
    const note = `${OUTDATED} the rules have changed since this review, by commit \`${host.commit}\`. Run it again before you merge.`;
    const body = [first, note, "", ...rest].join("\n");
    return (await unlessGone(host.editComment(request, found.id, body)))
      ? `The comment on ${request} is marked as outdated.`
      : `The comment on ${request} was deleted.`;
  });

/**
 * Cuts a text to the length that the host takes.
 * @param end what follows a cut text
 */
export function cutToFit(text: string, end: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST_TEXT) return text;
  const rest = `\n\n… The rest is left out. ${end}`;
  const kept = characters.slice(0, LONGEST_TEXT - [...rest].length).join("");
  // A line that is cut could end in the middle of code, whose text would act as markup.
  return kept.slice(0, Math.max(0, kept.lastIndexOf("\n"))) + rest;
}

/** The accounts of the tokens of hosts: a look at a hundred requests asks once. */
const authors = new WeakMap<CodeHost, Promise<string>>();

/** The comments or issues of this account that begin with a marker: the first one, or each. */
export async function ownTexts(
  host: CodeHost,
  pageOf: (page: number) => Promise<HostText[]>,
  marker: string,
  { isEach = false } = {},
): Promise<HostText[]> {
  const asked = authors.get(host) ?? host.author();
  authors.set(host, asked);
  const author = await asked;
  const found: HostText[] = [];
  for await (const text of everyOf(pageOf)) {
    if (text.author !== author || !text.body.startsWith(marker)) continue;
    found.push(text);
    if (!isEach) break;
  }
  return found;
}

async function* everyOf<Entry>(
  pageOf: (page: number) => Promise<Entry[]>,
): AsyncGenerator<Entry> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const some = await pageOf(page);
    yield* some;
    if (some.length < PAGE) return;
  }
}

/** The last line of a comment or an issue. */
export const endOf = ({ log }: CodeHost, commit: string): string =>
  `Commit \`${commit}\`: [log](${log})`;

const firstLine = (text: string) => text.split(/\r?\n/, 1)[0] ?? "";
