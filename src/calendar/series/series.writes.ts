import { fail, Problem } from '../../base/problems.ts'
import type { SeriesWrites } from '../events/model/series.arguments.ts'
import { findEventOrFail } from '../events/read/read.service.ts'
import type { WriteContext } from '../records/write.context.ts'
import { changeDates } from './series.change.service.ts'
import { createSeries } from './series.create.service.ts'
import { makeSeriesOf } from './series.joining.service.ts'
import { trashDates } from './series.trash.service.ts'

/** The writes of series as the routes of events call them. A rule that cannot be used is a fault of its parameter. */
export const seriesWrites: SeriesWrites = {
  create: (write, draft) => namingParameter(() => createSeries(write, draft)),
  change: (write, id, { patch, recurrence, scope, past, drop }) =>
    namingParameter(async () => {
      if (patch.status === 'trash') return trashDates(write, id, { scope: severalDates(scope), drop })
      if (recurrence !== undefined && !(await isOfSeries(write, id)))
        return makeSeriesOf(write, id, { patch, recurrence })
      if (scope === 'this')
        throw new Problem('rest_invalid_param', { faults: { recurrence: { text: 'fault.series.this' } } })
      return changeDates(write, id, { patch, recurrence, scope, past, drop })
    }),
  trash: (write, id, { scope, drop }) => trashDates(write, id, { scope: severalDates(scope), drop }),
}

function severalDates(scope: 'this' | 'following' | 'all'): 'following' | 'all' {
  return scope === 'this' ? fail('series-scope') : scope
}

async function isOfSeries({ tx }: WriteContext, id: number): Promise<boolean> {
  return (await findEventOrFail(tx, id)).seriesId !== undefined
}

/** Makes a rule that cannot be used a fault of its parameter. */
export async function namingParameter<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isRule = error instanceof Problem && error.code === 'series-invalid-rule'
    if (!isRule) throw error
    throw new Problem('rest_invalid_param', { faults: error.faults })
  }
}
