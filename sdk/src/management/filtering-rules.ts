import type * as z from "zod";
import { rulesObstacle } from "../configuration/configuration";
import { ConfigurationError, NotFoundError } from "../http/errors";
import { objectArgument } from "../http/object-argument";
import type { CallOptions } from "../http/request";
import { type ManagementApi, nameOf } from "./management-api";
import type { InputOf, RecordOf } from "./records";
import { snakeKeys, type CamelKeys } from "../wire/casing";
import { FILTERING_RULE } from "../wire/operations";
import type {
  FilteringRuleCreate,
  FilteringRuleFilter,
  FilteringRuleRecord,
  FilteringRulesBulk,
  FilteringRulesTest,
  FilteringRulesTestResult as TestResult,
  FilteringRuleUpdate,
  BulkRule,
  TestRequestPayload,
} from "../wire/management";

/**
 * A filtering rule. The list of rules is in the order in which rules are evaluated. The
 * record itself holds no position.
 */
export type FilteringRule = RecordOf<typeof FilteringRuleRecord>;

/** What a new filtering rule takes. */
export type FilteringRuleCreateInput = InputOf<typeof FilteringRuleCreate>;

/** The changes of a filtering rule. A field that is left out keeps its value. */
export type FilteringRuleUpdateInput = InputOf<typeof FilteringRuleUpdate>;

/** Filters of a list of filtering rules. */
export type FilteringRuleListOptions = InputOf<typeof FilteringRuleFilter> &
  CallOptions;

/** The result of a test call. */
export type FilteringRulesTestResult = RecordOf<typeof TestResult>;

/** What a bulk call takes. */
export type FilteringRulesBulkInput = Omit<
  z.input<typeof FilteringRulesBulk>,
  "rules"
> & {
  readonly rules: readonly InputOf<typeof BulkRule>[];
};

/** What a test call takes: rules or an environment, and a request or the ID of a past event. */
export type FilteringRulesTestInput = (
  | { readonly rules: readonly TestRule[]; readonly environment?: undefined }
  | { readonly environment: string; readonly rules?: undefined }
) &
  (
    | {
        /** The members are spelt as in the contract. */
        readonly testRequestPayload: z.input<typeof TestRequestPayload>;
        readonly testRequestId?: undefined;
      }
    | {
        readonly testRequestId: string;
        readonly testRequestPayload?: undefined;
      }
  );

type TestRule = CamelKeys<
  NonNullable<z.input<typeof FilteringRulesTest>["rules"]>[number]
>;

/**
 * Filtering rules of the workspace (docs/contract.md, "Filtering rule record"). Every
 * call throws ConfigurationError if rules have another form in the configured version
 * of the API.
 */
export class FilteringRules {
  private readonly api: ManagementApi;

  constructor(api: ManagementApi) {
    const { configuration } = api;
    this.api = api.refusing(() => {
      const obstacle = rulesObstacle(configuration);
      if (obstacle === undefined) return;
      throw new ConfigurationError(
        obstacle.replace(/^./, (first) => first.toUpperCase()),
      );
    });
  }

  /**
   * All rules, in the order in which they are evaluated. The list has no pages
   * (docs/contract.md, "GET /filtering-rules").
   *
   * @example
   * const rules = await client.filteringRules.list({ environment: environmentId });
   */
  async list(
    options: FilteringRuleListOptions = {},
  ): Promise<readonly FilteringRule[]> {
    const { signal, timeoutMs, retry, ...query } = objectArgument(
      options,
      FILTERING_RULE.list.doing,
      "options",
    );
    const own = { signal, timeoutMs, retry };
    return this.api.call(FILTERING_RULE.list, { query }, own);
  }

  /**
   * Every rule that the filter lets through, in the order in which rules are evaluated.
   *
   * @example
   * for await (const rule of client.filteringRules.listAll()) console.log(rule.name);
   */
  async *listAll(
    options?: FilteringRuleListOptions,
  ): AsyncGenerator<FilteringRule, void, undefined> {
    yield* await this.list(options);
  }

  /**
   * One rule (docs/contract.md, "GET /filtering-rules/{id}").
   * @throws NotFoundError
   *
   * @example
   * const { expression, action } = await client.filteringRules.get(ruleId);
   */
  get(id: string, options?: CallOptions): Promise<FilteringRule> {
    return this.api.call(FILTERING_RULE.get, { id }, options);
  }

  /**
   * Creates a rule. Without `placement`, the rule is the last one (docs/contract.md,
   * "POST /filtering-rules").
   * @throws AmbiguousError when the rule may have been created
   *
   * @example
   * const { id } = await client.filteringRules.create({
   *   name: "block-crawlers",
   *   environment: environmentId,
   *   expression: "http.user_agent.is_crawler_bot",
   *   action: "deny",
   * });
   */
  create(
    input: FilteringRuleCreateInput,
    options?: CallOptions,
  ): Promise<FilteringRule> {
    const label = nameOf(input);
    return this.api.call(FILTERING_RULE.create, { label, input }, options);
  }

  /**
   * Updates the given fields (docs/contract.md, "POST /filtering-rules/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.filteringRules.update(ruleId, { status: "disabled" });
   */
  update(
    id: string,
    input: FilteringRuleUpdateInput,
    options?: CallOptions,
  ): Promise<FilteringRule> {
    return this.api.call(FILTERING_RULE.update, { id, input }, options);
  }

  /**
   * Deletes a rule (docs/contract.md, "DELETE /filtering-rules/{id}").
   * @throws NotFoundError
   *
   * @example
   * await client.filteringRules.delete(ruleId);
   */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.api.call(FILTERING_RULE.delete, { id }, options);
  }

  /**
   * Writes many rules at once: all of them or none. In `overwrite` mode, the given
   * rules replace every rule of the environment, in the given order (docs/contract.md,
   * "POST /filtering-rules/bulk").
   * @throws ValidationError with paths such as `rules[2].expression`, AmbiguousError
   * when the call may have been carried out: list the rules to find out
   *
   * @example
   * await client.filteringRules.bulk({
   *   mode: "overwrite",
   *   environment: environmentId,
   *   rules: [{ name: "no-ios", expression: "sdk.platform.is_ios", action: "deny" }],
   * });
   */
  async bulk(
    input: FilteringRulesBulkInput,
    options: CallOptions = {},
  ): Promise<readonly FilteringRule[]> {
    const { environment = "the default environment" } = { ...input };
    const written = withSnakeRules(input);
    const label = `${written.rules?.length ?? 0} filtering rules to ${environment}`;
    return this.api.call(
      FILTERING_RULE.bulk,
      { label, input: written },
      options,
    );
  }

  /**
   * Asks the service what given rules, or the rules of an environment, decide about a
   * request (docs/contract.md, "POST /filtering-rules/test").
   * @throws ValidationError with paths such as `rules[2].expression`, NotFoundError for
   * an unknown event, and if the service does not have this call
   *
   * @example
   * const { result } = await client.filteringRules.test({
   *   rules: [{ expression: "sdk.platform.is_ios", action: "deny" }],
   *   testRequestPayload: { sdkPlatform: "ios" },
   * });
   */
  async test(
    input: FilteringRulesTestInput,
    options: CallOptions = {},
  ): Promise<FilteringRulesTestResult> {
    const { doing } = FILTERING_RULE.test;
    const written = withSnakeRules(objectArgument(input, doing));
    try {
      return await this.api.call(
        FILTERING_RULE.test,
        { input: written },
        options,
      );
    } catch (error) {
      // With given rules and a given request, no ID is sent that could be unknown.
      const isWhole = input.rules && input.testRequestPayload;
      if (!isWhole || !(error instanceof NotFoundError)) throw error;
      const { operation, status, code, detail, headers, retryAfterMs } = error;
      throw new NotFoundError({
        ...{ operation, status, code, detail, headers, retryAfterMs },
        hint: "This service seems to have no POST /filtering-rules/test; check the endpoint and the API version.",
      });
    }
  }
}

/** The input with rules in the service's spelling. What is no list is left to the schema. */
function withSnakeRules<I extends { readonly rules?: readonly object[] }>(
  input: I,
) {
  const { rules }: Partial<I> = { ...input };
  return Array.isArray(rules)
    ? { ...input, rules: rules.map((rule: object) => snakeKeys({ ...rule })) }
    : { ...input, rules };
}
