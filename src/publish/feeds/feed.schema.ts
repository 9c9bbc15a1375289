import Type from 'typebox'
import { said } from '../../access/http/schema.ts'

/** A list of events that is no JSON. */
export const FeedSchema = Type.String({ $id: 'Feed', ...said('Feed') })
