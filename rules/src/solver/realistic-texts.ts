import { parseUrl } from "@devid/sdk/errors";
import { KNOWN_USER_AGENTS } from "../language/request/known-user-agents";
import { knownHeader } from "../language/tables/headers";
import { fieldNamed } from "../language/tables/lookup";

/** The parts of a request with a user agent. */
export const USER_AGENT_PARTS: readonly string[] = [
  "http.user_agent.string",
  "User-Agent",
];

/**
 * Realistic texts for a part of a request that contain some pieces: user agents that
 * exist, origins and addresses of pages under `.example`, versions with three numbers.
 * Some may lack a piece, or have it in other letters; the caller checks what it needs.
 * @param part name of a field or of a header
 * @param pieces what the text has to have, in this order; empty ones count for nothing
 */
export function realisticTexts(
  part: string,
  pieces: readonly string[],
): readonly string[] {
  const needed = pieces.filter((piece) => piece !== "");
  if (USER_AGENT_PARTS.includes(part)) return userAgents(needed);
  switch (part) {
    case "Origin":
      return origins(needed);
    case "Referer":
      return referers(needed);
    case "sdk.version":
      return needed.map(wholeVersion);
    case "sdk.platform.app_package_name":
      return packages(needed);
    default: {
      const { values = [], plain = values } = knownHeader(part) ?? {};
      return plain;
    }
  }
}

/** Usual values of a part without any condition. */
export function plainTexts(part: string): readonly string[] {
  const symbolic = fieldNamed(part)?.symbolic;
  if (symbolic) return (symbolic.kind === "variable" && symbolic.plain) || [""];
  const texts = realisticTexts(part, []);
  return texts.length > 0 ? texts : ["other"];
}

const KNOWN = KNOWN_USER_AGENTS.map(({ userAgent }) => ({
  userAgent,
  folded: userAgent.toLowerCase(),
}));

function userAgents(pieces: readonly string[]): string[] {
  const folded = pieces.map((piece) => piece.toLowerCase());
  const known = KNOWN.filter((one) =>
    folded.every((piece) => one.folded.includes(piece)),
  ).map(({ userAgent }) => userAgent);
  if (pieces.length === 0) return known;
  return [
    ...known,
    ...ofOtherVersions(pieces),
    ...KNOWN.map(({ userAgent }) => userAgent),
    `Mozilla/5.0 (compatible; ${pieces.map(wholeProduct).join("; ")})`,
    pieces.map(wholeProduct).join(" "),
  ];
}

/** For a piece that ends in `Chrome/99.`, user agents of that product with this version. */
function ofOtherVersions(pieces: readonly string[]): string[] {
  const [product, name = ""] =
    pieces
      .map((piece) => /([\w-]+\/)\d[\d.]*$/.exec(piece))
      .find((found) => found !== null) ?? [];
  if (product === undefined) return [];
  return KNOWN.flatMap(({ userAgent }) => {
    const at = userAgent.indexOf(name);
    if (at < 0 || /\w/.test(userAgent[at - 1] ?? " ")) return [];
    const rest = userAgent.slice(at).replace(/^[^ ;)]+/, "");
    return [userAgent.slice(0, at) + wholeProduct(product) + rest];
  }).slice(0, 2);
}

/** A product with a version, as user agents name it. */
const wholeProduct = (piece: string) =>
  /\/$/.test(piece)
    ? `${piece}1.0`
    : /\d\.$/.test(piece)
      ? `${piece}0`
      : /^[\w-]+$/.test(piece)
        ? `${piece}/1.0`
        : piece;

const SCHEMES = ["https://", "http://"];
const STARTS = [
  "",
  ...SCHEMES,
  ...["www", "shop", "shop.example"].map((host) => `https://${host}`),
];

function origins(pieces: readonly string[]): string[] {
  if (pieces.length === 0)
    return ["https://other.example", "https://shop.example"];
  const made = new Set<string>();
  for (const joint of pieces.length > 1 ? ["", "shop", ".", "-"] : [""]) {
    const text = pieces.join(joint);
    for (const end of ["", ".example", "shop.example"])
      for (const start of STARTS) made.add(start + text + end);
  }
  return [...made].filter(isOrigin);
}

/** Whether a text is an origin whose host has a dot, or is this machine. */
const isOrigin = (text: string) =>
  /^https?:\/\/(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?$/.test(
    text,
  ) && parseUrl(text)?.origin === text;

function referers(pieces: readonly string[]): string[] {
  const pages = origins(pieces).map((origin) => `${origin}/`);
  if (pieces.length === 0) return pages;
  const text = pieces.join("");
  const path = text.startsWith("/") ? text : `/${text}`;
  return [
    ...pages,
    ...(text.includes("://") ? [text] : [`https://shop.example${path}`]),
    ...SCHEMES.map((scheme) => scheme + text),
  ].filter((one) => parseUrl(one)?.href === one);
}

function packages(pieces: readonly string[]): string[] {
  const text = pieces.join("");
  return [
    text,
    `${text}app`,
    `${text}.app`,
    `com.example.${text}`,
    `com.example${text}`,
  ].filter((one) => /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/.test(one));
}

function wholeVersion(piece: string): string {
  if (!/^\d+(?:\.\d+){0,2}\.?$/.test(piece)) return piece;
  const numbers = piece.split(".").filter((number) => number !== "");
  return [...numbers, "0", "0"].slice(0, 3).join(".");
}
