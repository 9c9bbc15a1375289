import { ROLES, type Role } from '../auth/actor.ts'
import { isLabel, mostKeyDays, mostLabelLetters, mostOverlapHours } from '../auth/key.ts'
import { leastPasswordLetters, mostPasswordLetters } from '../auth/password.hash.ts'
import { isEmailAddress, isUserName } from '../auth/user.ts'
import type { Argument, Arguments, Rule } from '../http/argument.ts'
import { accepted, refused, wrongType } from '../http/rules.ts'

const roleRule: Rule<Role> = (raw) => {
  const role = ROLES.find((known) => known === raw)
  return role === undefined ? refused('fault.enum', { allowed: ROLES.join(', ') }) : accepted(role)
}

const userNameRule: Rule<string> = (raw) =>
  typeof raw === 'string' && isUserName(raw) ? accepted(raw) : refused('fault.user-name')

const label: Rule<string> = (raw) =>
  typeof raw === 'string' && isLabel(raw)
    ? accepted(raw)
    : refused('fault.length', { least: '1', most: String(mostLabelLetters) })

/** An address, or '' for none. */
const email: Rule<string> = (raw) =>
  raw === '' || (typeof raw === 'string' && isEmailAddress(raw)) ? accepted(raw) : refused('fault.email')

/** A text of this many characters, as it is. */
const boundedText =
  (name: string, least: number, most: number): Rule<string> =>
  (raw) => {
    if (typeof raw !== 'string') return wrongType(name, 'string')
    const letters = [...raw].length
    return letters >= least && letters <= most
      ? accepted(raw)
      : refused('fault.length', { least: String(least), most: String(most) })
  }

const boundedInteger =
  (least: number, most: number): Rule<number> =>
  (raw) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
      ? accepted(raw)
      : refused('fault.between', { least: String(least), most: String(most) })

const password = {
  read: boundedText('password', leastPasswordLetters, mostPasswordLetters),
  isRequired: true,
} as const satisfies Argument<string>

/** A password that somebody claims to have: whatever it is, it is compared. */
const claimedPassword = boundedText('password', 0, mostPasswordLetters)

export const newUserArguments = {
  name: { read: userNameRule, isRequired: true },
  role: { read: roleRule, isRequired: true },
  email: { read: email },
} as const satisfies Arguments

export const userArguments = { role: { read: roleRule }, email: { read: email } } as const satisfies Arguments

export const passwordArguments = { password, current_password: { read: claimedPassword } } as const satisfies Arguments

export const keyArguments = {
  label: { read: label, isRequired: true },
  expires_in_days: { read: boundedInteger(1, mostKeyDays) },
} as const satisfies Arguments

export const rotationArguments = {
  overlap_hours: { read: boundedInteger(0, mostOverlapHours) },
} as const satisfies Arguments

export const signInArguments = {
  login: { read: boundedText('login', 1, 300), isRequired: true },
  password: { read: claimedPassword, isRequired: true },
} as const satisfies Arguments
