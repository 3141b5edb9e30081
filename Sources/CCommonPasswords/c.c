int cpw_placeholder;
