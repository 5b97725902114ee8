/** What we use of a rule of secretlint; its own types are of an ES module. */
interface ScannerRule {
  readonly meta: { readonly id: string };
  create(
    context: {
      readonly createTranslator: () => (id: string) => {
        readonly message: string;
        readonly messageId: string;
      };
      readonly report: (found: {
        readonly message: { readonly messageId: string };
        readonly range: readonly [number, number];
      }) => void;
      readonly ignore: () => void;
    },
    options: object,
  ): { readonly file?: (source: object) => unknown };
}

/** A list of patterns of secretlint; loaded when the first text is searched. */
const preset = () =>
  // oxlint-disable-next-line typescript/no-require-imports -- a file is checked at once
  require("@secretlint/secretlint-rule-preset-recommend") as {
    readonly rules: readonly ScannerRule[];
  };

/** Options by the end of a rule's ID: the ID of an AWS key is no secret to secretlint. */
const OPTIONS: Readonly<Record<string, object>> = {
  aws: { enableIDScanRule: true },
};

/** A rule of secretlint by which comments can hide a secret. */
const OVERLOOKING = "filter-comments";

type Scan = (text: string) => readonly LiteralSecret[];

let scanWithPreset: Scan | undefined;

function openPreset(): Scan {
  let found: LiteralSecret[] = [];
  const files = preset().rules.flatMap((rule) => {
    const name = rule.meta.id.replace(/^.*secretlint-rule-/, "");
    if (name === OVERLOOKING) return [];
    const { file } = rule.create(
      {
        createTranslator: () => (id) => ({ message: id, messageId: id }),
        report: ({ message, range: [offset, end] }) =>
          found.push({
            what: `a secret (secretlint's ${message.messageId})`,
            offset,
            length: end - offset,
          }),
        ignore: () => undefined,
      },
      OPTIONS[name] ?? {},
    );
    return file ? [file] : [];
  });
  return (content) => {
    found = [];
    const source = { content, contentType: "text", hasBOM: false };
    for (const file of files)
      file({ ...source, filePath: "rules.yaml", ext: ".yaml" });
    return found;
  };
}

/** The shortest text that is searched: every pattern takes more characters. */
const SHORTEST = 12;

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
 * The forms that secretlint's list lacks. Prefixes are those that the services
 * document; the last row is a long random text, which nothing in a rule needs: visitor
 * IDs have 20 characters, and digests are hexadecimal. Words and numbers with dashes
 * between them are a name, so one piece without a dash has to look random.
 */
const SECRET_FORMS: readonly SecretForm[] = [
  {
    what: "a secret key with the prefix of a payment service",
    pattern: String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{8,}`,
  },
  { what: "an API key of Google", pattern: String.raw`\bAIza[\w-]{30,}` },
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

/**
 * Finds texts that look like secrets, by the patterns of secretlint and by our own.
 * No two of them overlap.
 */
export function findSecrets(text: string): LiteralSecret[] {
  if (text.length < SHORTEST) return [];
  scanWithPreset ??= openPreset();
  const own = [...text.matchAll(ALL)].map((match) => {
    const form = match.slice(1).findIndex((group) => group !== undefined);
    return {
      what: SECRET_FORMS[form]?.what ?? "a secret",
      offset: match.index,
      length: match[0].length,
    };
  });
  const all = [...scanWithPreset(text), ...own].sort(
    (a, b) => a.offset - b.offset,
  );
  const apart: LiteralSecret[] = [];
  for (const secret of all) {
    const last = apart.at(-1);
    if (last === undefined || endOf(last) <= secret.offset) apart.push(secret);
    // Two overlapping secrets become one that covers both.
    else if (endOf(last) < endOf(secret))
      apart[apart.length - 1] = {
        ...last,
        length: endOf(secret) - last.offset,
      };
  }
  return apart;
}

const endOf = ({ offset, length }: LiteralSecret) => offset + length;

/** Replaces texts that look like secrets by `[redacted]`. */
export function maskSecrets(text: string): string {
  let shown = "";
  let end = 0;
  for (const secret of findSecrets(text)) {
    shown += `${text.slice(end, secret.offset)}[redacted]`;
    end = endOf(secret);
  }
  return shown + text.slice(end);
}
