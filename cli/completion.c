// Completion scripts for bash, zsh and fish, written from the tables that command.c parses by:
// commands, their options, the words an option takes, names of laws, and file names everywhere
// else.
#include "completion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "carom/law.h"
#include "command.h"

// -- what can follow an argument ----------------------------------------------------------------

static bool is_option(const carom_argument *argument)
{
    return *argument->name == '-';
}

static bool takes_law(const carom_argument *argument)
{
    return strcmp(argument->name, "--law") == 0;
}

// Whether the words that can follow are known: then print_choices prints them.
static bool has_choices(const carom_argument *argument)
{
    return argument->choices || takes_law(argument);
}

static void print_choices(const carom_argument *argument)
{
    if (argument->choices)
        fputs(argument->choices, stdout);
    for (int i = 0; takes_law(argument) && i < carom_law_count(); ++i)
        printf("%s%s", i ? " " : "", carom_law_name(carom_law_at(i)));
}

// The second word of `bounce probe`; null for a name of one word.
static const char *second_word(const carom_command *command)
{
    const char *blank = strchr(command->name, ' ');
    return blank ? blank + 1 : NULL;
}

static int first_length(const carom_command *command)
{
    return (int)strcspn(command->name, " ");
}

// The words after `first` that make a name of two words.
static void print_second_words(const char *first)
{
    size_t length = strlen(first);
    for (int i = 0; carom_command_list[i]; ++i)
        if (second_word(carom_command_list[i]) &&
            (size_t)first_length(carom_command_list[i]) == length &&
            strncmp(carom_command_list[i]->name, first, length) == 0)
            printf(" %s", second_word(carom_command_list[i]));
}

static void print_options(const carom_command *command)
{
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        if (is_option(argument))
            printf("%s ", argument->name);
    printf("--help");
}

// -- bash ---------------------------------------------------------------------------------------

static void bash_values(const carom_command *command)
{
    for (const carom_argument *argument = command->arguments; argument->name; ++argument) {
        if (!is_option(argument) || !has_choices(argument))
            continue;
        printf("    \"%s %s\") words=\"", command->name, argument->name);
        print_choices(argument);
        printf("\" ;;\n");
    }
}

static void bash_options(const carom_command *command)
{
    printf("        \"%s\") words=\"", command->name);
    print_options(command);
    printf("\" ;;\n");
}

void carom_completion_bash(void)
{
    printf("# bash completion for carom, written by `carom help --completion bash`\n"
           "_carom() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command=${COMP_WORDS[1]} words=\n"
           "    COMPREPLY=()\n"
           "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n    ");
    bool first = true;
    for (int i = 0; carom_command_list[i]; ++i)
        if (second_word(carom_command_list[i])) {
            printf("%s\"%s\"", first ? "" : " | ", carom_command_list[i]->name);
            first = false;
        }
    printf(") ((COMP_CWORD > 2)) && command=\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" ;;\n"
           "    esac\n"
           "    case \"$command $previous\" in\n");
    for (int i = 0; carom_command_list[i]; ++i)
        bash_values(carom_command_list[i]);
    printf("    *)\n"
           "        if ((COMP_CWORD == 1)); then\n"
           "            words=\"");
    for (int i = 0; carom_command_list[i]; ++i)
        if (!second_word(carom_command_list[i]))
            printf("%s ", carom_command_list[i]->name);
    printf("--help --version\"\n"
           "        elif [[ $current == -* ]]; then\n"
           "            case \"$command\" in\n");
    for (int i = 0; carom_command_list[i]; ++i) {
        printf("    ");
        bash_options(carom_command_list[i]);
    }
    printf("            esac\n"
           "        elif ((COMP_CWORD == 2)); then\n"
           "            case \"$command\" in\n");
    for (int i = 0; carom_command_list[i]; ++i) {
        const carom_command *command = carom_command_list[i];
        if (second_word(command))
            continue;
        printf("            \"%s\") words=\"", command->name);
        print_second_words(command->name);
        printf("\" ;;\n");
    }
    printf("            esac\n"
           "        fi ;;\n"
           "    esac\n"
           "    [[ -n ${words// /} ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
           "\"$current\")\n"
           "    return 0 # nothing found: bash completes names of files\n"
           "}\n"
           "complete -o default -F _carom carom\n");
}

// -- zsh ----------------------------------------------------------------------------------------

// Inside '...' of a specification: quotes end the text, brackets and colons mean something.
static void zsh_words(const char *words)
{
    for (; *words; ++words) {
        if (*words == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *words))
            printf("\\%c", *words);
        else
            putchar(*words);
    }
}

static void zsh_action(const carom_argument *argument)
{
    if (has_choices(argument)) {
        printf(":(");
        print_choices(argument);
        printf(")");
    } else {
        printf(":%s", argument->kind == CAROM_ARGUMENT_FILE ? "_files" : "");
    }
}

static void zsh_argument(const carom_argument *argument)
{
    if (!is_option(argument)) {
        printf(" \\\n        '%s:%s", argument->repeated ? "*" : "", argument->name);
        zsh_action(argument);
        printf("'");
        return;
    }
    printf(" \\\n        '%s%s[", argument->repeated ? "*" : "", argument->name);
    zsh_words(argument->doc);
    printf("]");
    if (argument->kind != CAROM_ARGUMENT_FLAG) {
        printf(":%s", argument->value ? argument->value : "VALUE");
        zsh_action(argument);
    }
    printf("'");
}

static void zsh_command(const carom_command *command)
{
    printf("    '%s') _arguments '--help[say what this command does]'", command->name);
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        zsh_argument(argument);
    printf(" ;;\n");
}

static void zsh_names(void)
{
    for (int i = 0; carom_command_list[i]; ++i) {
        if (second_word(carom_command_list[i]))
            continue;
        printf("        '%s:", carom_command_list[i]->name);
        zsh_words(carom_command_list[i]->summary);
        printf("'\n");
    }
}

void carom_completion_zsh(void)
{
    printf("#compdef carom\n"
           "# zsh completion for carom, written by `carom help --completion zsh`\n"
           "_carom() {\n"
           "    local -a commands\n"
           "    commands=(\n");
    zsh_names();
    printf("    )\n"
           "    if ((CURRENT == 2)); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local command=$words[2]\n"
           "    case \"$words[2] $words[3]\" in\n");
    for (int i = 0; carom_command_list[i]; ++i)
        if (second_word(carom_command_list[i]))
            printf("    '%s') ((CURRENT > 3)) && command='%s' ;;\n", carom_command_list[i]->name,
                   carom_command_list[i]->name);
    printf("    esac\n"
           "    if ((CURRENT == 3)); then\n"
           "        case $command in\n");
    for (int i = 0; carom_command_list[i]; ++i) {
        const carom_command *command = carom_command_list[i];
        if (second_word(command))
            continue;
        printf("        '%s') compadd --", command->name);
        print_second_words(command->name);
        printf(" ;;\n");
    }
    printf("        esac\n"
           "    fi\n"
           "    # _arguments counts from the command's own name\n"
           "    local -a name=(${=command})\n"
           "    words=(\"$command\" \"${(@)words[2 + $#name, -1]}\")\n"
           "    ((CURRENT -= $#name))\n"
           "    case $command in\n");
    for (int i = 0; carom_command_list[i]; ++i)
        zsh_command(carom_command_list[i]);
    printf("    esac\n"
           "}\n"
           "_carom \"$@\"\n");
}

// -- fish ---------------------------------------------------------------------------------------

static void fish_words(const char *words)
{
    for (; *words; ++words)
        printf(*words == '\'' || *words == '\\' ? "\\%c" : "%c", *words);
}

// The condition "this command": both words of a name of two, and of a name of one not the longer
// ones.
static void fish_condition(const carom_command *command)
{
    printf("complete -c carom -n '__fish_seen_subcommand_from %.*s", first_length(command),
           command->name);
    if (second_word(command))
        printf("; and __fish_seen_subcommand_from %s", second_word(command));
    printf("' ");
}

static void fish_argument(const carom_command *command, const carom_argument *argument)
{
    if (!is_option(argument))
        return;
    fish_condition(command);
    printf("-l %s -d '", argument->name + 2);
    fish_words(argument->doc);
    printf("'");
    if (argument->kind == CAROM_ARGUMENT_FILE)
        printf(" -r");
    else if (argument->kind != CAROM_ARGUMENT_FLAG)
        printf(" -x");
    if (has_choices(argument)) {
        printf(" -a '");
        print_choices(argument);
        printf("'");
    }
    printf("\n");
}

void carom_completion_fish(void)
{
    printf("# fish completion for carom, written by `carom help --completion fish`\n");
    for (int i = 0; carom_command_list[i]; ++i) {
        const carom_command *command = carom_command_list[i];
        if (second_word(command))
            printf("complete -c carom -n '__fish_seen_subcommand_from %.*s' -a %s -d '",
                   first_length(command), command->name, second_word(command));
        else
            printf("complete -c carom -n __fish_use_subcommand -a %s -d '", command->name);
        fish_words(command->summary);
        printf("'\n");
        for (const carom_argument *argument = command->arguments; argument->name; ++argument)
            fish_argument(command, argument);
    }
    printf("complete -c carom -l help -d 'say what this command does'\n");
}
