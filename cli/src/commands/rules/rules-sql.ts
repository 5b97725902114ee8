import { documentedRuleColumns, readMapping } from "@devid/warehouse";
import {
  DIALECT_NAMES,
  type DecisionSql,
  decisionSql,
  type DialectName,
  type EventColumns,
} from "@devid/warehouse/sql";
import { Option } from "commander";
import { UsageError } from "../../errors";
import {
  assumeNotSentOption,
  warehouseOptions,
} from "../../flags/past-events-options";
import {
  Command,
  jsonOption,
  outOption,
  showSecretsOption,
  workspaceOptions,
  type ReportFlags,
  type WorkspaceFlags,
} from "../../flags/shared-options";
import { harmlessText } from "../../output/guard-output";
import { withoutKeys } from "../../output/without-keys";
import { jsonReport, writeReport } from "../../output/write-output";
import { ruleSetInFileOrLive } from "../../sources/live-rules";
import {
  namesWarehouse,
  warehouseColumns,
  type WarehouseFlags,
} from "../../sources/warehouse-events";

interface Flags
  extends WarehouseFlags, WorkspaceFlags, Omit<ReportFlags, "format"> {
  readonly dialect?: DialectName;
  readonly assumeNotSent: readonly string[];
}

/** `devid rules sql`: prints rules as an SQL expression. */
export function rulesSql(): Command {
  return new Command("sql")
    .argument("<file>", "a rule file, or live: the rules in force")
    .flags(
      new Option(
        "--dialect <name>",
        "for a table with the columns of docs/warehouse.md, or of --mapping",
      ).choices(DIALECT_NAMES),
      warehouseOptions("ask this table for its columns, in place of --dialect"),
      assumeNotSentOption(),
      workspaceOptions("environment of live rules"),
      jsonOption("print JSON: the expression and its parts; errors, too"),
      outOption(),
      showSecretsOption(),
    )
    .action(async (file: string, flags: Flags) => {
      const { rules, assumeNotSent = [] } = await ruleSetInFileOrLive(
        file,
        flags,
      );
      const { dialect, columns } = await columnsOf(flags);
      const sql = decisionSql(rules, {
        dialect,
        columns,
        assumeNotSent: new Set([...flags.assumeNotSent, ...assumeNotSent]),
      });
      checkPrintable(sql, flags);
      const report = flags.json
        ? jsonReport({ dialect, ...sql })
        : `${sql.decision}\n`;
      writeReport(report, flags.out);
    });
}

async function columnsOf(
  flags: Flags,
): Promise<{ readonly dialect: DialectName; readonly columns: EventColumns }> {
  const { dialect, mapping, maxQueryTime } = flags;
  if (namesWarehouse(flags)) {
    if (dialect === undefined) return warehouseColumns(flags);
    throw new UsageError(
      "The table of --events decides the dialect: leave --dialect out.",
    );
  }
  if (dialect === undefined)
    throw new UsageError(
      `For which engine? Give --dialect ${DIALECT_NAMES.join(", ")}, or the table with --events.`,
    );
  if (maxQueryTime !== undefined)
    throw new UsageError(
      "--max-query-time is for a warehouse of events: add --events.",
    );
  const columns = await documentedRuleColumns(
    dialect,
    mapping === undefined ? undefined : readMapping(mapping),
  );
  return { dialect, columns };
}

/**
 * Refuses SQL that would be changed when it is printed.
 * @throws UsageError
 */
function checkPrintable(sql: DecisionSql, { showSecrets, json }: Flags): void {
  const { decision } = withoutKeys(sql, { showSecrets });
  if (decision !== sql.decision)
    throw new UsageError(
      "A rule has a key in it, so its SQL is not printed. --show-secrets prints it.",
    );
  if (!json && harmlessText(decision, false) !== decision)
    throw new UsageError(
      "A rule has characters in it that change what a terminal or a log shows. --json prints the expression with escapes in their place.",
    );
}
