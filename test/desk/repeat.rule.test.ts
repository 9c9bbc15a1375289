import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRule, ruleText } from '../../src/calendar/recurrence/rule.text.ts'
import { isRecurrenceFault } from '../../src/calendar/recurrence/recurrence.ts'
import { recurrenceIn, repeatValues } from '../../src/desk/events/repeat.rule.ts'
import { readRecurrence } from '../../src/calendar/recurrence/recurrence.text.ts'
import { zoneOf } from '../../src/base/time/zone.ts'

const start = '2030-02-01 19:00'
const zone = zoneOf('America/Toronto')
