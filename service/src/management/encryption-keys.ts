import { ENCRYPTION_KEY, EncryptionKeyRecord } from "@devid/sdk/wire";
import type { Context } from "../context";
import { AnswerError } from "../http/answer-error";
import type { Operation } from "../http/operation";
import { recordOf } from "../store/records";
import type { EncryptionKeyRow } from "../store/schema";
import { listOperation } from "./list-operation";
import { serve } from "./serve-operation";

/** `/encryption-keys`: docs/contract.md, "GET /encryption-keys" to "POST /encryption-keys/{id}/revert". */
export function encryptionKeyOperations(context: Context): Operation[] {
  const { encryptionKeys } = context.store;
  const show = (row: EncryptionKeyRow) => recordOf(EncryptionKeyRecord, row);
  const shown = (row: EncryptionKeyRow | undefined) => row && show(row);
  return [
    listOperation(context, encryptionKeys, ENCRYPTION_KEY.list, show),
    serve(ENCRYPTION_KEY.get, ({ workspace, id }) =>
      shown(encryptionKeys.get(workspace, id)),
    ),
    serve(ENCRYPTION_KEY.update, ({ workspace, id, body }) =>
      shown(encryptionKeys.update(workspace, id, body)),
    ),
    serve(ENCRYPTION_KEY.rotate, ({ workspace, id }) =>
      shown(encryptionKeys.rotate(workspace, id)),
    ),
    serve(
      ENCRYPTION_KEY.revert,
      ({ workspace, id }) => {
        if (!encryptionKeys.get(workspace, id)) return undefined;
        const reverted = shown(encryptionKeys.revert(workspace, id));
        if (reverted) return reverted;
        throw new AnswerError(
          "conflict",
          `Encryption key ${id} has no rotation to revert.`,
        );
      },
      { errors: [409] },
    ),
  ];
}
