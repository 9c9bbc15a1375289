import { listKeys } from '../access/auth/key.repository.ts'
import { createKey, revokeKey, rotateKey } from '../access/auth/key.service.ts'
import {
  isKeyScope,
  isLabel,
  isUnexpired,
  KEY_SCOPES,
  type Key,
  type KeyId,
  maxKeyDays,
  maxLabelLetters,
  maxOverlapHours,
} from '../access/auth/key.ts'
import { listUsers } from '../access/auth/user.repository.ts'
import type { Deps } from '../access/deps.ts'
import type { Config } from '../base/config/config.ts'
import { isoUtc } from '../base/time/wire.ts'
import { secretLine, userNamed, withAccounts, withUser } from './accounts.ts'
import { CommandError, EXIT, type OutputOptions, printResult, table } from './output.ts'

/** Creates another key for a user and prints its secret. */
export async function createKeyCommand(
  config: Config,
  name: string,
  {
    label,
    days,
    scope = 'write',
    ...output
  }: OutputOptions & { readonly label: string; readonly days?: string; readonly scope?: string },
): Promise<number> {
  if (!isLabel(label)) {
    throw new CommandError(EXIT.usage, `A label must have 1 to ${maxLabelLetters} characters.`)
  }
  if (!isKeyScope(scope)) throw new CommandError(EXIT.usage, `--scope must be one of ${KEY_SCOPES.join(', ')}.`)
  const lasting = days === undefined ? undefined : numberWithin('--days', days, { least: 1, most: maxKeyDays })
  const { key, secret } = await withUser(config, name, (deps, { id }) =>
    createKey(deps, id, { label, days: lasting, scope }),
  )
  const end = key.expiresAt === undefined ? '' : ` until ${isoUtc(key.expiresAt)}`
  printResult(
    output,
    { ...shown(key), secret },
    `${name} has the key ${key.id}, “${label}”, with the scope ${key.scope}${end}.\n${secretLine(secret)}`,
  )
  return EXIT.ok
}

/** Prints the keys of one user, or of all; never a secret. */
export async function printKeys(config: Config, name: string | undefined, output: OutputOptions): Promise<number> {
  const keys = await withAccounts(config, async ({ storage: { db }, now }) => {
    const users = name === undefined ? await listUsers(db) : [await userNamed(db, name)]
    const all = await Promise.all(users.map(({ id }) => listKeys(db, id)))
    return all.flatMap((own, place) =>
      own.map((key) => ({ ...shown(key), user: users[place]?.name ?? '', is_expired: !isUnexpired(key, now()) })),
    )
  })
  const head = ['ID', 'USER', 'LABEL', 'SCOPE', 'CREATED', 'LAST USED', 'EXPIRES', 'MADE BY'] as const
  const rows = keys.map(({ user, is_expired: isExpired, ...key }) => [
    String(key.id),
    user,
    key.label,
    key.scope,
    key.created_at,
    key.last_used_at ?? 'never',
    key.expires_at === null ? 'never' : isExpired ? 'expired' : key.expires_at,
    key.made_by === null ? '' : `key ${key.made_by}`,
  ])
  printResult(output, keys, table(head, rows))
  return EXIT.ok
}

/** Gives a key a new secret and prints it. */
export async function renewKey(
  config: Config,
  idText: string,
  { overlapHours = '0', ...output }: OutputOptions & { readonly overlapHours?: string },
): Promise<number> {
  const hours = numberWithin('--overlap-hours', overlapHours, { least: 0, most: maxOverlapHours })
  const { key, secret } = await withKey(config, idText, (deps, id) => rotateKey(deps, id, { overlapHours: hours }))
  const before =
    hours === 0 ? 'The previous secret is no longer valid.' : `The previous secret stays valid for ${hours} hours.`
  printResult(output, { ...shown(key), secret }, `“${key.label}” has a new secret. ${before}\n${secretLine(secret)}`)
  return EXIT.ok
}

export async function endKey(config: Config, idText: string, output: OutputOptions): Promise<number> {
  const { key, made } = await withKey(config, idText, (deps, id) => revokeKey(deps, id))
  const names = made.map(({ id, label }) => `${id}, “${label}”`).join('; ')
  const also = made.length === 0 ? '' : ` So were the keys that it created for the same user: ${names}.`
  printResult(
    output,
    { revoked: shown(key), also_revoked: made.map(shown) },
    `The key ${key.id}, “${key.label}”, was revoked.${also}`,
  )
  return EXIT.ok
}

function withKey<T>(config: Config, text: string, work: (deps: Deps, id: KeyId) => Promise<T>): Promise<T> {
  const id = numberWithin('The id of a key', text, { least: 1, most: Number.MAX_SAFE_INTEGER }) as KeyId
  return withAccounts(config, (deps) => work(deps, id))
}

function shown({ id, label, scope, createdAt, expiresAt, lastUsedAt, makers }: Key) {
  const moment = (seconds: number | undefined) => (seconds === undefined ? null : isoUtc(seconds))
  return {
    ...{
      id,
      label,
      scope,
      created_at: isoUtc(createdAt),
      last_used_at: moment(lastUsedAt),
      expires_at: moment(expiresAt),
    },
    made_by: makers.at(-1) ?? null,
  }
}

function numberWithin(
  what: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new CommandError(EXIT.usage, `${what} must be a whole number from ${least} to ${most}.`)
}
