/** Why a file cannot be written, by the code of the system. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its disk',
  EDQUOT: 'the quota of its disk is used up',
  EFBIG: 'it would be larger than files may be',
  EIO: 'its disk has a fault',
  EROFS: 'its disk can only be read',
  EACCES: 'its folder may not be written to',
  EPERM: 'its folder may not be written to',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  ENAMETOOLONG: 'its name is too long',
}

/** Why the system does not write a file, in words; undefined for every other error. */
export function systemErrorReason(error: unknown): string | undefined {
  return error instanceof Error ? reasons[String((error as NodeJS.ErrnoException).code)] : undefined
}
