import {
  formatRuleFile,
  openRuleFile,
  RuleFileError,
  unaskedFixes,
  withBlocks,
  type RuleFile,
  type RuleFileFinding,
  type TextEdit,
} from "@devid/rules";
import {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  TextDocuments,
  TextDocumentSyncKind,
  TextEdit as LspEdit,
  type CodeAction,
  type Diagnostic,
  type Range,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { atCursor } from "./at-cursor";
import { suggestionsAt } from "./completion";
import { wordAt } from "./reference";
import { WholeCheck } from "./whole-check";

/** Edits within this time get one whole check together. */
const REST_MS = 150;

interface Open {
  readonly check: WholeCheck;
  /** What the check finds in the present text; undefined until it begins. */
  findings?: Promise<readonly RuleFileFinding[]> | undefined;
  timer?: NodeJS.Timeout;
}

/**
 * Serves an editor by the Language Server Protocol until it says `exit` or closes the
 * input.
 * @param program path of the launcher of `devid`, which checks whole files
 */
export function serveEditor(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  program: string,
): Promise<void> {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const opened = new Map<string, Open>();

  /** The document, if it is a rule file: an editor may send every YAML file. */
  const ruleFileAt = (uri: string): TextDocument | undefined => {
    const document = documents.get(uri);
    return document && isRuleFile(document.getText()) ? document : undefined;
  };

  connection.onInitialize(() => ({
    serverInfo: { name: "devid" },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: [".", "'", '"', "[", " "] },
      hoverProvider: true,
      codeActionProvider: {
        codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll],
      },
      documentFormattingProvider: true,
    },
  }));

  const check = (uri: string, open: Open) =>
    (open.findings ??= findingsIn(uri, open));
  const findingsIn = async (uri: string, open: Open) => {
    clearTimeout(open.timer);
    const text = documents.get(uri)?.getText() ?? "";
    const findings = await open.check.run(text);
    const document = documents.get(uri);
    if (!findings || document?.getText() !== text) return [];
    const { version } = document;
    if (!(findings instanceof Error)) {
      const diagnostics = findings.map((one) => diagnosticOf(one, document));
      void connection.sendDiagnostics({ uri, version, diagnostics });
      return findings;
    }
    const { message } = findings;
    const range = rangeOf({ offset: 0, length: 0 }, document);
    const severity = DiagnosticSeverity.Error;
    const failure = { source: "devid", severity, message, range };
    void connection.sendDiagnostics({ uri, version, diagnostics: [failure] });
    return [];
  };

  documents.onDidChangeContent(({ document: { uri } }) => {
    if (!ruleFileAt(uri)) return close(uri);
    const known = opened.get(uri);
    const open = known ?? { check: new WholeCheck(program) };
    opened.set(uri, open);
    // The editor moves what it shows; the edits of fixes would be at wrong places.
    open.findings = undefined;
    clearTimeout(open.timer);
    open.check.stop();
    open.timer = setTimeout(() => void check(uri, open), known ? REST_MS : 0);
  });

  /** Forgets a document, and removes its findings. */
  function close(uri: string): void {
    const open = opened.get(uri);
    clearTimeout(open?.timer);
    open?.check.stop();
    opened.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  documents.onDidClose(({ document: { uri } }) => close(uri));

  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = ruleFileAt(uri);
    if (!document) return [];
    const { words, replaces } = suggestionsAt(
      document.getText(),
      document.offsetAt(position),
      () => fileOf(document),
    );
    const start = { ...position, character: position.character - replaces };
    return words.map(({ label, kind, markdown, text = label }) => ({
      label,
      kind,
      filterText: label,
      ...(markdown && { documentation: { kind: "markdown", value: markdown } }),
      textEdit: LspEdit.replace({ start, end: position }, text),
    }));
  });

  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = ruleFileAt(uri);
    if (!document) return null;
    const text = document.getText();
    const at = atCursor(text, document.offsetAt(position));
    if (at.kind !== "expression") return null;
    const { line } = position;
    const found = wordAt(text.split("\n")[line] ?? "", position.character);
    return (
      found && {
        contents: { kind: "markdown", value: found.markdown },
        range: {
          start: { line, character: found.from },
          end: { line, character: found.to },
        },
      }
    );
  });

  connection.onCodeAction(async ({ textDocument, range, context }) => {
    const { uri } = textDocument;
    const open = opened.get(uri);
    // A file may be saved before its edit is checked.
    const findings = open ? await check(uri, open) : [];
    const document = ruleFileAt(uri);
    if (!document) return [];
    const isWanted = (kind: string) =>
      !context.only || context.only.some((one) => kind.startsWith(one));
    const editOf = (edits: readonly TextEdit[]) => ({
      changes: { [uri]: lspEdits(edits, document) },
    });
    const fixes = findings.flatMap((finding): CodeAction[] => {
      const { edits, fix, code, keepsMeaning, removes, changes = [] } = finding;
      if (!edits || !touches(finding, range)) return [];
      const effect = keepsMeaning ? "keeps the meaning" : changes.join(", ");
      return [
        {
          title: `${fix ?? code}${effect && ` (${effect})`}`,
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnosticOf(finding, document)],
          edit: editOf(edits),
          isPreferred: keepsMeaning === true && removes !== true,
        },
      ];
    });
    // An editor that asks for no kind shows what is at the cursor.
    const together =
      context.only && isWanted(CodeActionKind.SourceFixAll)
        ? unaskedFixes(findings, document.getText(), uri)
        : [];
    const fixAll: CodeAction = {
      title: "apply all fixes that keep the meaning",
      kind: CodeActionKind.SourceFixAll,
      edit: editOf(together.flatMap(({ edits = [] }) => edits)),
    };
    return [
      ...(isWanted(CodeActionKind.QuickFix) ? fixes : []),
      ...(together.length > 0 ? [fixAll] : []),
    ];
  });

  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const document = ruleFileAt(uri);
    const written = document?.getText() ?? "";
    const file = document && fileOf(document, withBlocks(written));
    if (!document || !file) return [];
    try {
      const text = formatRuleFile(file);
      const whole = { offset: 0, length: written.length, text };
      return text === written ? [] : lspEdits([whole], document);
    } catch (error) {
      // The mistakes of the file are shown at their places.
      if (error instanceof RuleFileError) return [];
      throw error;
    }
  });

  const stopped = new Promise<void>((resolve) => {
    input.once("end", resolve);
    connection.onExit(resolve);
  });
  documents.listen(connection);
  connection.listen();
  return stopped.then(() => {
    for (const { timer, check } of opened.values()) {
      clearTimeout(timer);
      check.stop();
    }
  });
}

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

function diagnosticOf(
  finding: RuleFileFinding,
  document: TextDocument,
): Diagnostic {
  const { code, severity, rule, message, fix, line, column, end } = finding;
  const about = rule === undefined ? "" : `rule "${rule}": `;
  return {
    code,
    source: "devid",
    severity: SEVERITIES[severity],
    message: `${about}${message}${fix === undefined ? "" : `\nfix: ${fix}`}`,
    range: {
      start: position(document, line, column),
      end: position(document, end.line, end.column),
    },
  };
}

/**
 * Converts a place, counted in characters from 1, to the protocol's count: UTF-16 units
 * from 0.
 */
function position(document: TextDocument, line: number, column: number) {
  const text = document.getText({
    start: { line: line - 1, character: 0 },
    end: { line, character: 0 },
  });
  let character = column - 1;
  for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) {
    if (index >= character) break;
    character++;
  }
  return { line: line - 1, character: Math.min(character, text.length) };
}

const rangeOf = (
  { offset, length }: { readonly offset: number; readonly length: number },
  document: TextDocument,
): Range => ({
  start: document.positionAt(offset),
  end: document.positionAt(offset + length),
});

const lspEdits = (edits: readonly TextEdit[], document: TextDocument) =>
  edits.map((edit) => LspEdit.replace(rangeOf(edit, document), edit.text));

/** Whether a finding, whose lines are counted from 1, has a line in common with a range. */
const touches = ({ line, end }: RuleFileFinding, range: Range) =>
  line - 1 <= range.end.line && range.start.line <= end.line - 1;

/** The rule file in a document; undefined while it is not valid. */
function fileOf(
  document: TextDocument,
  text = document.getText(),
): RuleFile | undefined {
  try {
    return openRuleFile(text, document.uri);
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}

/** Whether a text has `rules` at its top, in YAML or in JSON. */
const isRuleFile = (text: string): boolean =>
  /^["']?rules["']?\s*:/m.test(text) ||
  (/^\s*\{/.test(text) && /\brules["']?\s*:/.test(text));
