import Type from 'typebox'
import { withDescription } from '../../access/http/schema.ts'

/** The answers of an import, line by line. */
export const ImportAnswersSchema = Type.String({ $id: 'ImportAnswers', ...withDescription('ImportAnswers') })
