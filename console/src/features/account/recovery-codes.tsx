import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { saveText } from '@/shared/lib/save-file';
import { CopyButton } from '@/shared/ui/copy-button';
import './account.css';

/** New recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('account');
  const text = codes.join('\n');
  return (
    <>
      <Alert type="warning" showIcon title={t('secondFactor.codesHint')} />
      <ul className="recovery-codes" aria-label={t('secondFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Space>
        <CopyButton wide text={text} label={t('secondFactor.copyCodes')} />
        <Button
          icon={<DownloadOutlined />}
          onClick={() => saveText('zcbus-recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t('secondFactor.saveCodes')}
        </Button>
        <Button type="primary" onClick={onDone}>
          {t('secondFactor.codesKept')}
        </Button>
      </Space>
    </>
  );
}
