import { useMutation } from '@tanstack/react-query'
import { accountExportAddress } from '@/api/account'
import { fetchAccountExport, saveFile } from '@/api/accountExport'
import { t } from '@/lib/texts'
import { Failure } from './failure'
import { Button } from './ui/button'

/** Downloads everything that is stored about the user. */
export function DownloadData() {
  const download = useMutation({
    mutationFn: fetchAccountExport,
    onSuccess: (file) => saveFile(file, 'my-data.json'),
  })
  return (
    <>
      <Button asChild variant="outline" className="max-sm:h-11">
        <a
          href={accountExportAddress}
          download
          aria-disabled={download.isPending}
          onClick={(event) => {
            event.preventDefault() // a download would not show why it failed
            if (!download.isPending) download.mutate()
          }}
        >
          {download.isPending ? t('parts_downloading') : t('parts_download_data')}
        </a>
      </Button>
      {download.isError && <Failure error={download.error} fallback={t('parts_failed_to_download')} />}
    </>
  )
}
