/** A form of secrets that people paste into files. */
interface SecretForm {
  /** What it is, with its article: `a secret key of Stripe`. */
  readonly what: string;
  /** A regular expression; a match is the secret. */
  readonly pattern: string;
}

/**
 * Matches the start of at least 16 letters and digits in which small letters,
 * capitals, and a digit before a letter are mixed; a year behind a word is not.
 */
const RANDOM_PIECE =
  "(?=[A-Za-z0-9]{16})(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9][A-Za-z])";

/**
 * The forms that count as secrets. Prefixes are those that the services document;
 * the last row is a long random text, which nothing in a rule needs: visitor IDs
 * have 20 characters, and digests are hexadecimal. Words and numbers with dashes
 * between them are a name, so one piece without a dash has to look random.
 */
const SECRET_FORMS: readonly SecretForm[] = [
  {
    what: "a secret key with the prefix of a payment service",
    pattern: String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{8,}`,
  },
  {
    what: "an access key of AWS",
    pattern: String.raw`\bA(?:KIA|SIA)[A-Z0-9]{16}\b`,
  },
  {
    what: "a token of GitHub",
    pattern: String.raw`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})`,
  },
  { what: "a token of GitLab", pattern: String.raw`\bglpat-[\w-]{16,}` },
  { what: "a token of Slack", pattern: String.raw`\bxox[abprs]-[\w-]{10,}` },
  { what: "an API key of Google", pattern: String.raw`\bAIza[\w-]{30,}` },
  { what: "a token of npm", pattern: String.raw`\bnpm_[A-Za-z0-9]{30,}` },
  {
    what: "an access token of Pulumi",
    pattern: String.raw`\bpul-[0-9a-f]{40}\b`,
  },
  {
    what: "a private key",
    pattern: String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----`,
  },
  {
    what: "a signed token (JWT)",
    pattern: String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`,
  },
  {
    what: "a long random text",
    pattern: String.raw`(?<![\w-])(?=(?:[\w-]*[_-])?${RANDOM_PIECE})[A-Za-z0-9][\w-]{30,}[A-Za-z0-9](?![\w-])`,
  },
];

const ALL = new RegExp(
  SECRET_FORMS.map(({ pattern }) => `(${pattern})`).join("|"),
  "g",
);

/** A secret in a text. */
export interface LiteralSecret {
  readonly what: string;
  /** In UTF-16 units. */
  readonly offset: number;
  readonly length: number;
}

/** Finds texts that look like secrets. */
export function findSecrets(text: string): LiteralSecret[] {
  return [...text.matchAll(ALL)].map((match) => {
    const form = match.slice(1).findIndex((group) => group !== undefined);
    return {
      what: SECRET_FORMS[form]?.what ?? "a secret",
      offset: match.index,
      length: match[0].length,
    };
  });
}

/** Replaces texts that look like secrets by `[redacted]`. */
export function maskSecrets(text: string): string {
  return text.replace(ALL, "[redacted]");
}
