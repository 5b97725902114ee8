import type {
  CheckFailure,
  OperationContext,
  ResourceDefinition,
} from "../definition/define-resource";
import { AdoptionError, LookupError } from "../definition/errors";
import { containsUnknown } from "../definition/value";
import { OwnershipError } from "../ownership/decisions";
import type { OwnershipGuard } from "./ownership-guard";
import { describeAdoption, findToAdopt } from "./adopt";

type Values = Readonly<Record<string, unknown>>;

/**
 * Failures of a create that only the service or the ledger knows. Enters the object
 * that the create will take over into the ledger.
 */
export async function checkNew(
  definition: ResourceDefinition,
  context: OperationContext,
  inputs: Values,
  guard: OwnershipGuard,
  urn: string | undefined,
): Promise<readonly CheckFailure[]> {
  const self = { urn };
  const known = Object.fromEntries(
    Object.entries(inputs).filter(([, value]) => !containsUnknown(value)),
  );
  const { ledger } = context.session;
  const onlyOne = guard.onlyOne(inputs);
  // Without a URN, the ledger cannot tell whether a known object belongs to this
  // resource.
  const mayReplace = urn
    ? ledger.hasResource(urn)
    : onlyOne !== undefined && ledger.holder(onlyOne) !== undefined;
  try {
    if (urn && onlyOne !== undefined) guard.take("wanted", onlyOne, self);
    const failures =
      (await definition.beforeCreate?.({
        ...context,
        inputs: known,
        mayReplace,
      })) ?? [];
    if (failures.length > 0 || known.adopt === undefined) return failures;
    const found = await findToAdopt(definition, context, inputs);
    if (!found) return [];
    guard.take("wanted", found.id, self);
    await context.log("info", describeAdoption(definition, found, inputs));
    return [];
  } catch (error) {
    const isRefused =
      error instanceof OwnershipError ||
      error instanceof AdoptionError ||
      error instanceof LookupError;
    if (!isRefused) throw error;
    const property = onlyOne === undefined ? "adopt" : "";
    return [{ property, reason: error.message }];
  }
}
