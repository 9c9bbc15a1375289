import { ROLES } from '../auth/actor.ts'
import { isLabel, KEY_SCOPES, maxKeyDays, maxLabelLetters, maxOverlapHours } from '../auth/key.ts'
import { maxPasswordLetters, minPasswordLetters } from '../auth/password.hash.ts'
import { isEmailAddress, isUserName } from '../auth/user.ts'
import { wordArgument } from '../http/arguments/argument.kinds.ts'
import { accepted, pathNumber, refused, wrongType } from '../http/arguments/argument.rules.ts'
import { integerSchema, lengthSchema } from '../http/arguments/argument.schema.ts'
import type { Argument, ArgumentRule, Arguments } from '../http/arguments/argument.ts'

const userNameRule: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' && isUserName(raw) ? accepted(raw) : refused('fault.user-name')

const label: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' && isLabel(raw)
    ? accepted(raw)
    : refused('fault.length', { least: '1', most: String(maxLabelLetters) })

/** An address, or '' for none. */
const email: ArgumentRule<string> = (raw) =>
  raw === '' || (typeof raw === 'string' && isEmailAddress(raw)) ? accepted(raw) : refused('fault.email')

/** A text with this many characters, unchanged. */
const boundedText = (name: string, least: number, most: number) =>
  ({
    read: (raw: unknown) => {
      if (typeof raw !== 'string') return wrongType(name, 'string')
      const letters = [...raw].length
      return letters >= least && letters <= most
        ? accepted(raw)
        : refused('fault.length', { least: String(least), most: String(most) })
    },
    schema: lengthSchema(least, most),
    type: 'string',
  }) as const

const boundedInteger = (least: number, most: number) =>
  ({
    read: (raw: unknown) =>
      typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
        ? accepted(raw)
        : refused('fault.between', { least: String(least), most: String(most) }),
    schema: { type: 'integer', minimum: least, maximum: most },
    type: 'integer',
  }) as const

const password = {
  ...boundedText('password', minPasswordLetters, maxPasswordLetters),
  schema: { ...lengthSchema(minPasswordLetters, maxPasswordLetters), format: 'password' },
  description: 'account.password',
  isRequired: true,
} as const satisfies Argument<string>

/** A password that a caller claims to have. Every text is accepted and compared. */
const claimedPassword = {
  ...boundedText('password', 0, maxPasswordLetters),
  schema: { type: 'string', maxLength: maxPasswordLetters, format: 'password' },
} as const satisfies Omit<Argument<string>, 'description'>

const role = wordArgument(ROLES, 'account.role')

const emailArgument = {
  read: email,
  schema: { type: 'string', examples: ['editor@example.org'] },
  description: 'account.email',
  type: 'string',
} as const satisfies Argument<string>

export const newUserArguments = {
  name: {
    read: userNameRule,
    schema: { type: 'string', examples: ['editor'] },
    description: 'account.name',
    type: 'string',
    isRequired: true,
  },
  role: { ...role, isRequired: true },
  email: emailArgument,
} as const satisfies Arguments

export const userArguments = { role, email: emailArgument } as const satisfies Arguments

export const passwordArguments = {
  password,
  current_password: { ...claimedPassword, description: 'account.current_password' },
} as const satisfies Arguments

export const keyArguments = {
  label: {
    read: label,
    schema: lengthSchema(1, maxLabelLetters),
    description: 'key.label',
    type: 'string',
    isRequired: true,
  },
  expires_in_days: { ...boundedInteger(1, maxKeyDays), description: 'key.expires_in_days' },
  scope: wordArgument(KEY_SCOPES, 'key.scope'),
} as const satisfies Arguments

export const rotationArguments = {
  overlap_hours: { ...boundedInteger(0, maxOverlapHours), description: 'key.overlap_hours', default: 0 },
} as const satisfies Arguments

export const signInArguments = {
  login: { ...boundedText('login', 1, 300), description: 'account.login', isRequired: true },
  password: { ...claimedPassword, description: 'account.claimed_password', isRequired: true },
} as const satisfies Arguments

const linkSecret = {
  ...boundedText('secret', 1, 100),
  ...{ description: 'link.secret', isRequired: true },
} as const satisfies Argument<string>

/** The kinds of links that a user can ask for. */
const requestedLinkKinds = ['invitation', 'reset'] as const

export const newLinkArguments = {
  kind: { ...wordArgument(requestedLinkKinds, 'link.kind'), isRequired: true },
} as const satisfies Arguments

export const linkArguments = { secret: linkSecret } as const satisfies Arguments

export const linkPasswordArguments = { secret: linkSecret, password } as const satisfies Arguments

/** A user in a path: a number, or `me` for the caller. */
const user = {
  read: (raw) => accepted(String(raw)),
  schema: { anyOf: [integerSchema, { type: 'string', enum: ['me'] }] },
  description: 'id.user',
  type: 'string',
  isRequired: true,
} as const satisfies Argument<string>

export const userPath = { user } as const satisfies Arguments

export const keyPath = {
  user,
  key: { read: pathNumber, schema: integerSchema, description: 'id.key', type: 'integer', isRequired: true },
} as const satisfies Arguments

export const sessionPath = {
  user,
  session: { read: pathNumber, schema: integerSchema, description: 'id.session', type: 'integer', isRequired: true },
} as const satisfies Arguments
