import { CopyOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { copyText } from '@/shared/lib/copy';
import { Tip } from './tip';

interface Props {
  /** What to copy, or what finds it out when it is copied. */
  text: string | (() => string);
  /** What is copied, as a verb: "Copy statement". */
  label: string;
  /** Shows the label with the icon. */
  wide?: boolean;
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, wide = false }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text());
    message.success(t('action.copied'));
  };
  if (wide)
    return (
      <Button icon={<CopyOutlined />} onClick={copy}>
        {label}
      </Button>
    );
  return (
    <Tip title={label}>
      <Button type="text" icon={<CopyOutlined />} aria-label={label} onClick={copy} />
    </Tip>
  );
}
