import {
  applyEdits,
  formatRuleFile,
  openRuleFile,
  RuleFileError,
  unaskedFixes,
  type RuleFile,
  type RuleFileFinding,
  type TextEdit,
} from "@devid/rules";
import {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  InlayHintKind,
  ResponseError,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
  TextEdit as LspEdit,
  ErrorCodes,
  type CodeAction,
  type Diagnostic,
  type Range,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { CheckedDocument } from "./checked-document";
import { suggestionsAt } from "./completion";
import type { PastEvents } from "./past-events";
import { atCursor } from "./at-cursor";
import { referenceAt } from "./reference";
import { renameRule, ruleNameAt } from "./rename-rule";
import { ruleHints } from "./rule-hints";
import { WholeCheck } from "./whole-check";

/** What a server needs of the process that it runs in. */
export interface ServerOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Path of the launcher of `devid`, which checks whole files. */
  readonly program: string;
  /** Past events, whose decisions are shown beside each rule. */
  readonly events?: PastEvents;
}

/** Edits within this time get one whole check together. */
const REST_MS = 150;

interface Open {
  readonly checked: CheckedDocument;
  readonly whole: WholeCheck;
  timer?: NodeJS.Timeout;
}

/**
 * Serves an editor by the Language Server Protocol until it says `exit` or closes the
 * input.
 */
export function serveEditor({
  input,
  output,
  program,
  events,
}: ServerOptions): Promise<void> {
  const connection = createConnection(input, output);
  const documents = new TextDocuments(TextDocument);
  const opened = new Map<string, Open>();

  /** The document, if it is a rule file: an editor may send every YAML file. */
  const ruleFileAt = (uri: string): TextDocument | undefined => {
    const document = documents.get(uri);
    return document && isRuleFile(document.getText()) ? document : undefined;
  };

  const publish = (uri: string, findings: readonly RuleFileFinding[]) => {
    const document = ruleFileAt(uri);
    if (!document) return;
    void connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: findings.map((finding) => diagnosticOf(finding, document)),
    });
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
      renameProvider: { prepareProvider: true },
      documentSymbolProvider: true,
      inlayHintProvider: true,
    },
  }));

  const checkWhole = async (uri: string) => {
    const open = opened.get(uri);
    const document = ruleFileAt(uri);
    if (!open || !document) return;
    const text = document.getText();
    const findings = await open.whole.run(text);
    if (!findings || ruleFileAt(uri)?.getText() !== text) return;
    open.checked.checked(findings);
    publish(uri, findings);
  };

  documents.onDidChangeContent(({ document }) => {
    const { uri } = document;
    if (!ruleFileAt(uri)) return close(uri);
    const isNew = !opened.has(uri);
    const open: Open = opened.get(uri) ?? {
      checked: new CheckedDocument(),
      whole: new WholeCheck(program),
    };
    opened.set(uri, open);
    const findings = open.checked.update(document.getText());
    if (!isNew) publish(uri, findings);
    clearTimeout(open.timer);
    open.whole.stop();
    open.timer = setTimeout(() => void checkWhole(uri), isNew ? 0 : REST_MS);
  });

  /** Forgets a document, and removes its findings. */
  function close(uri: string): void {
    const open = opened.get(uri);
    clearTimeout(open?.timer);
    open?.whole.stop();
    opened.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  documents.onDidClose(({ document: { uri } }) => close(uri));

  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const document = ruleFileAt(uri);
    if (!document) return [];
    const offset = document.offsetAt(position);
    return suggestionsAt(document.getText(), offset, () =>
      fileOf(document),
    ).map(({ replaces, text, ...item }) => ({
      ...item,
      filterText: item.label,
      textEdit: LspEdit.replace(
        {
          start: { ...position, character: position.character - replaces },
          end: position,
        },
        text,
      ),
    }));
  });

  connection.onHover(({ textDocument: { uri }, position }) => {
    const document = ruleFileAt(uri);
    if (!document) return null;
    const text = document.getText();
    const at = atCursor(text, document.offsetAt(position));
    if (at.kind !== "expression") return null;
    const { line } = position;
    const found = referenceAt(text.split("\n")[line] ?? "", position.character);
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

  connection.onCodeAction(({ textDocument: { uri }, range, context }) => {
    const document = ruleFileAt(uri);
    const findings = opened.get(uri)?.checked.findings ?? [];
    if (!document) return [];
    const isWanted = (kind: string) =>
      !context.only || context.only.some((one) => kind.startsWith(one));
    const actionOf = (
      title: string,
      kind: string,
      edits: readonly TextEdit[],
      diagnostics?: Diagnostic[],
    ): CodeAction => ({
      title,
      kind,
      diagnostics,
      edit: { changes: { [uri]: lspEdits(edits, document) } },
    });
    const fixes = findings.flatMap((finding) => {
      const { edits, fix, code, keepsMeaning, removes, changes = [] } = finding;
      const diagnostic = diagnosticOf(finding, document);
      if (!edits || !touches(diagnostic.range, range)) return [];
      const effect = keepsMeaning ? "keeps the meaning" : changes.join(", ");
      return [
        {
          ...actionOf(
            `${fix ?? code}${effect && ` (${effect})`}`,
            CodeActionKind.QuickFix,
            edits,
            [diagnostic],
          ),
          isPreferred: keepsMeaning === true && removes !== true,
        },
      ];
    });
    const together = unaskedFixes(findings).flatMap(({ edits = [] }) => edits);
    const fixAll = actionOf(
      "apply all fixes that keep the meaning",
      CodeActionKind.SourceFixAll,
      together,
    );
    return [
      ...(isWanted(CodeActionKind.QuickFix) ? fixes : []),
      // An editor that asks for no kind shows what is at the cursor.
      ...(context.only &&
      isWanted(CodeActionKind.SourceFixAll) &&
      together.length > 0
        ? [fixAll]
        : []),
    ];
  });

  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const document = ruleFileAt(uri);
    const file = document && fileOf(document);
    if (!document || !file) return [];
    try {
      const text = formatRuleFile(file);
      return text === file.text
        ? []
        : [LspEdit.replace(wholeRange(document), text)];
    } catch (error) {
      // The mistakes of the file are shown at their places.
      if (error instanceof RuleFileError) return [];
      throw error;
    }
  });

  connection.onPrepareRename(({ textDocument: { uri }, position }) => {
    const document = ruleFileAt(uri);
    const file = document && fileOf(document);
    const named =
      file && document && ruleNameAt(file, document.offsetAt(position));
    return named && document
      ? { range: rangeOf(named, document), placeholder: named.name }
      : null;
  });

  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
    const document = ruleFileAt(uri);
    const file = document && fileOf(document);
    const named =
      file && document && ruleNameAt(file, document.offsetAt(position));
    if (!named || !document) return null;
    const edits = renameRule(file, named.name, newName);
    try {
      openRuleFile(applyEdits(file.text, edits), uri);
    } catch (error) {
      if (!(error instanceof RuleFileError)) throw error;
      throw new ResponseError(
        ErrorCodes.InvalidRequest,
        `"${named.name}" cannot be renamed to "${newName}": ${error.problems[0]?.message ?? error.message}.`,
      );
    }
    return { changes: { [uri]: lspEdits(edits, document) } };
  });

  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = ruleFileAt(uri);
    const file = document && fileOf(document);
    if (!document || !file) return [];
    const symbol = (list: "rules" | "tests", detail?: (i: number) => string) =>
      file[list].map(({ name }, index) => {
        const range = stretchOf(file, [list, index], document);
        return {
          name,
          detail: detail?.(index),
          kind: list === "rules" ? SymbolKind.Function : SymbolKind.Event,
          range,
          selectionRange: stretchOf(file, [list, index, "name"], document),
        };
      });
    return [
      ...symbol("rules", (index) => file.rules[index]?.action ?? ""),
      ...symbol("tests"),
    ];
  });

  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) => {
    const document = ruleFileAt(uri);
    const file = document && fileOf(document);
    if (!file) return [];
    const lines = file.text.split("\n");
    return ruleHints(file, events)
      .filter(({ line }) => line >= range.start.line && line <= range.end.line)
      .map(({ line, text }) => ({
        position: { line, character: lines[line]?.trimEnd().length ?? 0 },
        label: text,
        kind: InlayHintKind.Type,
        paddingLeft: true,
      }));
  });

  const stopped = new Promise<void>((resolve) => {
    input.once("end", resolve);
    connection.onExit(resolve);
  });
  documents.listen(connection);
  connection.listen();
  return stopped.then(() => {
    for (const { timer, whole } of opened.values()) {
      clearTimeout(timer);
      whole.stop();
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
  const before = [...text].slice(0, column - 1).join("");
  return { line: line - 1, character: before.length };
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

function stretchOf(
  file: RuleFile,
  path: readonly PropertyKey[],
  document: TextDocument,
): Range {
  const { line, column, end } = file.placeOf(path);
  return {
    start: position(document, line, column),
    end: position(document, end.line, end.column),
  };
}

const wholeRange = (document: TextDocument): Range => ({
  start: { line: 0, character: 0 },
  end: document.positionAt(document.getText().length),
});

const touches = (one: Range, other: Range) =>
  one.start.line <= other.end.line && other.start.line <= one.end.line;

/** The rule file in a document; undefined while it is not valid. An editor asks several times for each version. */
function fileOf(document: TextDocument): RuleFile | undefined {
  const text = document.getText();
  const last = lastOpened.get(document);
  if (last?.text === text) return last.file;
  const file = openedOrNot(text, document.uri);
  lastOpened.set(document, { text, file });
  return file;
}

/** The last text of each document, and the rule file in it. */
const lastOpened = new WeakMap<
  TextDocument,
  { readonly text: string; readonly file: RuleFile | undefined }
>();

function openedOrNot(text: string, uri: string): RuleFile | undefined {
  try {
    return openRuleFile(text, uri);
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}

/** Whether a text has `rules` at its top, in YAML or in JSON. */
const isRuleFile = (text: string): boolean =>
  /^["']?rules["']?\s*:/m.test(text) ||
  (/^\s*\{/.test(text) && /"rules"\s*:/.test(text));
