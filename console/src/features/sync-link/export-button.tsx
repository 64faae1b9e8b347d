import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { saveText } from '@/shared/lib/save-file';
import { toYaml } from '@/shared/lib/yaml';
import { Tip } from '@/shared/ui/tip';
import { exportLink } from './queries';

interface Props {
  link: { id: string; name: string };
  compact?: boolean;
}

/** Saves the link as a file that `zcbus link apply` takes, without passwords. */
export function ExportButton({ link, compact = false }: Props) {
  const { t } = useTranslation('sync-link');
  const save = useMutation({
    mutationFn: () => exportLink(link.id),
    meta: { asked: 'export' },
    onSuccess: (document) => saveText(`${link.name}.yaml`, toYaml(document), 'application/yaml'),
  });
  if (!compact)
    return (
      <Button icon={<DownloadOutlined />} loading={save.isPending} onClick={() => save.mutate()}>
        {t('export.label')}
      </Button>
    );
  return (
    <Tip title={t('export.label')}>
      <Button
        type="text"
        icon={<DownloadOutlined />}
        loading={save.isPending}
        aria-label={t('export.named', { name: link.name })}
        onClick={() => save.mutate()}
      />
    </Tip>
  );
}
